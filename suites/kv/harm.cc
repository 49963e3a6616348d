#include "suites/kv/harm.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "suites/kv/formats/mutations.h"
#include "suites/kv/formats/write_mutation.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;

using Mutations = std::vector<std::shared_ptr<const Mutation>>;

class Harms {
 public:
  explicit Harms(const Saved& saved) : saved_(saved), name_(saved.fit.front()) {}

  std::vector<Harm> Take() { return std::move(all_); }

  void Mutated(const Mutations& mutations) {
    for (const auto& mutation : mutations) {
      const auto place = [mutation, bytes = saved_.record.bytes.get()](const std::string& folder) {
        return WriteMutation(*mutation, bytes, folder);
      };
      all_.push_back({mutation->slug, mutation->what, mutation->file_name, place, {}});
    }
  }

  void Unreadable() {
    InItsPlace("unreadable_directory", "a folder in the record's place",
               [](const fs::path& path) { fs::create_directory(path); });
    InItsPlace("unreadable_link", "a link to nothing in the record's place",
               [](const fs::path& path) { fs::create_symlink("nowhere", path); });
    if (geteuid() == 0) return;
    InItsPlace("unreadable_mode", "the record, which nobody may read",
               [from = saved_.RecordPath()](const fs::path& path) {
                 fs::copy_file(from, path);
                 fs::permissions(path, fs::perms::none);
               });
  }

  // Who opens it to read waits for a writer that never comes.
  void Pipe() {
    InItsPlace("pipe_in_its_place", "a pipe in the record's place", [](const fs::path& path) {
      if (mkfifo(path.c_str(), 0600) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot make " + path.string());
      }
    });
  }

  // Every field and every boundary, behind the index of the record as it was.
  void Changed(const Mutations& mutations) {
    Behind("changed_gone", "the record removed", [](const std::string& path) { fs::remove(path); });
    Behind("changed_directory", "a folder put in its place", [](const std::string& path) {
      fs::remove(path);
      fs::create_directory(path);
    });
    for (const auto& mutation : mutations) {
      const std::string& slug = mutation->slug;
      const bool at_boundary = !slug.ends_with("_minus_1") && !slug.ends_with("_plus_1");
      const bool taken = slug.starts_with("flip_") || (slug.starts_with("cut_at_") && at_boundary);
      if (!taken || mutation->file_name != name_) continue;
      const auto meddle = [mutation, bytes = saved_.record.bytes.get()](const std::string& path) {
        const TemporaryFolder aside("parity_kv_changed");
        fs::copy_file(WriteMutation(*mutation, bytes, aside.path()), path,
                      fs::copy_options::overwrite_existing);
      };
      Behind("changed_" + slug, mutation->what, meddle);
    }
  }

 private:
  void InItsPlace(const char* slug, const char* what,
                  const std::function<void(const fs::path& path)>& put) {
    const auto place = [put, name = name_](const std::string& folder) {
      const fs::path path = fs::path(folder) / name;
      put(path);
      return path.string();
    };
    all_.push_back({slug, what, name_, place, {}});
  }

  void Behind(std::string slug, const std::string& what,
              std::function<void(const std::string& path)> meddle) {
    const auto place = [from = saved_.RecordPath()](const std::string& folder) {
      return CopyInto(from, folder);
    };
    all_.push_back(
        {std::move(slug), what + ", behind the loader's index", name_, place, std::move(meddle)});
  }

  const Saved& saved_;
  std::string name_;
  std::vector<Harm> all_;
};

}  // namespace

std::vector<Harm> HarmsOf(const Lane& lane, const RecordFormat& format, const Saved& saved) {
  Mutations mutations;
  for (Mutation& one : MutationsOf(format, saved.record.bytes.get(), saved.record.record)) {
    mutations.push_back(std::make_shared<const Mutation>(std::move(one)));
  }
  Harms harms(saved);
  harms.Mutated(mutations);
  harms.Unreadable();
  harms.Pipe();
  if (lane.index) harms.Changed(mutations);
  return harms.Take();
}

}  // namespace parity::kv
