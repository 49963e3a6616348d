// Shared memory that lies on a disk: an unnamed file, its room reserved, written by one side and
// then only read.
#ifndef GTEST_PARITY_DEVICE_SPILL_FILE_H_
#define GTEST_PARITY_DEVICE_SPILL_FILE_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {

// A file without a name in `folder`, with `bytes` bytes reserved, so that no store into a mapping
// of it can fail for want of room; it is gone with its last descriptor and mapping. Throws
// std::system_error naming the folder: none, full, or of a file system that cannot reserve.
FileDescriptor CreateSpillFile(const std::string& folder, std::uint64_t bytes);

// The same file, only to be read, in place of `writable`, which is closed. A file cannot be sealed
// as memory can; a read lease, which the kernel grants only where no descriptor and no mapping can
// write, proves that nobody else does either. Throws std::system_error: EBUSY where somebody could
// and still can after `patience` (last_mapping.h).
FileDescriptor OnlyToRead(FileDescriptor writable, std::chrono::milliseconds patience = {});

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_SPILL_FILE_H_
