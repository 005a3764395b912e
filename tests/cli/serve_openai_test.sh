#!/usr/bin/env bash
# serve_openai_test.sh INFERNO SOURCE-DIR BUILD-DIR: the client of OpenAI asks a hundred things at a time (python/serve_openai.py),
# answered one by one and eight together.
# Exits with 77 where it is neither in BUILD-DIR/openai, a virtual environment, nor anywhere else:
#   python3 -m venv build/release/openai && build/release/openai/bin/pip install openai
set -euo pipefail
source=$2 build=$3
# shellcheck source=tests/cli/serve_common.sh
. "$(dirname "$0")/serve_common.sh"
python=$build/openai/bin/python
[ -x "$python" ] || python=python3
need "$python"
"$python" -c 'import openai' 2>/dev/null || { echo "openai: not installed for $python"; exit 77; }
make_model
for batch in 1 8; do
    start "$model" --chat-template phi3 --batch $batch
    echo "--batch $batch:"
    "$python" "$source/python/serve_openai.py" "$url" "$inferno" "$model"
    stop TERM 0
done
