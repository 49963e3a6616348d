#!/bin/sh
# A compiler's launcher: keeps what ptxas says of each kernel beside the object, for
# check_resources.cmake, and passes on all else.
object=
previous=
for argument in "$@"; do
  [ "$previous" = -o ] && object=$argument
  previous=$argument
done
"$@" 2>"$object.log"
status=$?
grep -E '^ptxas info|bytes stack frame' "$object.log" >"$object.resources"
grep -vE '^ptxas info|bytes stack frame|^$' "$object.log" >&2
rm -f "$object.log"
exit $status
