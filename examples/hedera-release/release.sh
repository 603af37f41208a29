#!/bin/sh
# Installs the SDK beside this file, and runs release.mjs with what it is given.
cd "$(dirname "$0")" || exit 1
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "This example is a program of JavaScript: install Node.js 20 or later, with npm, and run it again." >&2
  exit 1
fi
[ -d node_modules ] || npm install --ignore-scripts --no-audit --no-fund || exit 1
exec node release.mjs "$@"
