#!/usr/bin/env bash
# Builds the sdist and the wheel of what is committed, twice, compares, installs each into an empty environment of every
# Python that is named, and runs a smoke test there.  Prints the sizes of both files and one line for each installation.
#
#     tests/release/smoke.sh python3.11 python3.12 python3.13
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK=1 XDG_CACHE_HOME="$work/cache"

tests/release/build.sh "$1" "$work/dist"
(cd "$work/dist" && wc -c -- *.tar.gz *.whl *.json)
# Made again in another folder, later, by somebody with other permissions, all files are the same.
(umask 077 && tests/release/build.sh "$1" "$work/again" > /dev/null)
diff -r "$work/dist" "$work/again" && echo "ok: built twice, the same byte by byte, with its bill of materials"

smoke() {
    jigsat --version
    jigsat count clue1 | tee count.txt
    grep -q "115 071 633 408" count.txt
    jigsat plan puzzle-a --goal count
    jigsat solve puzzle-a -o solution.json
    jigsat check puzzle-a solution.json
    jigsat draw puzzle-a solution.json -o board.svg
    grep -q "</svg>" board.svg
    jigsat view puzzle-a solution.json -o page.html
    jigsat certify perfect-6x6 --solutions 2
    jigsat count ostomachion
    python -c "import jigsat as js; assert js.count(js.read('puzzle-a')).count == 160"
    pip check
}

failed=0
for python in "$@"; do
    for file in "$work"/dist/*.whl "$work"/dist/*.tar.gz; do
        what="$("$python" -V), $(basename "$file")"
        rm -rf "$work/venv" "$work/empty" "$work/cache"
        mkdir "$work/empty"
        "$python" -m venv "$work/venv"
        # Not `if ( ... )`: bash ignores `set -e` inside a condition.
        set +e
        (
            set -e
            # shellcheck disable=SC1091
            source "$work/venv/bin/activate"
            cd "$work/empty"
            pip install --quiet "$file"
            smoke
        ) > "$work/smoke.log" 2>&1
        status=$?
        set -e
        if [ $status -eq 0 ]; then
            echo "ok: $what"
        else
            echo "FAILED: $what"
            tail -n 30 "$work/smoke.log"
            failed=1
        fi
    done
done
exit $failed
