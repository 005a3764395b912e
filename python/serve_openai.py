"""serve_openai.py URL INFERNO MODEL: sends requests to `inferno serve` at URL by OpenAI's own client: a hundred at a
time, some more that disconnect before their answer is complete, and a chat. Compares each of the hundred answers with
that of `inferno generate` to the same request. Exits with 77 if the client is not installed."""

import asyncio
import json
import subprocess
import sys
import time

try:
    import openai
except ImportError:
    print("openai: not installed for this Python")
    sys.exit(77)

REQUESTS, LEAVERS = 100, 10
URL, INFERNO, MODEL = sys.argv[1:]


def case(i):
    """Returns the i-th request, and the options of generate for the same request."""
    prompt, n = f"Once upon {i % 10}", 8 + i % 5
    given = {"prompt": prompt, "max_tokens": n, "temperature": 0}
    options = ["-p", prompt, "-n", str(n)]
    if i % 2:
        given |= {"temperature": 0.75, "seed": i, "top_p": 0.5}
        options += ["--temp", "0.75", "--seed", str(i), "--top-p", "0.5"]
    if i % 3 == 0:
        given["stop"] = ["a", "d"]
        options += ["--stop", "a", "--stop", "d"]
    return given, options


def generated(options):
    """Returns the text and the number of tokens that generate makes."""
    done = subprocess.run([INFERNO, "generate", MODEL, "--json", "--quiet", *options], capture_output=True, check=True)
    said = json.loads(done.stdout)
    return said["text"], len(said["ids"])


async def ask(client, i):
    """Returns the text and the number of tokens of the server's answer. Half of the requests ask for a stream."""
    given, _ = case(i)
    if i % 4 < 2:
        whole = await client.completions.create(model="tiny", **given)
        return whole.choices[0].text, whole.usage.completion_tokens
    text, usage = "", None
    stream = await client.completions.create(model="tiny", stream=True, stream_options={"include_usage": True}, **given)
    async for event in stream:
        text += event.choices[0].text if event.choices else ""
        usage = event.usage or usage
    return text, usage.completion_tokens


async def leave(client, i):
    """Asks for a long answer, and disconnects after its first words."""
    stream = await client.completions.create(
        model="tiny", stream=True, prompt=f"Gone {i}", max_tokens=400, temperature=0, extra_body={"ignore_eos": True}
    )
    async for _ in stream:
        break
    await stream.close()


async def chat(client):
    """Tries a chat as one answer and as a stream, a second turn, and a request that must be refused."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]
    given = {"model": "tiny", "temperature": 0, "max_tokens": 12}
    whole = await client.chat.completions.create(messages=messages, **given)
    said = whole.choices[0].message.content
    pieces = [
        event.choices[0].delta.content or ""
        async for event in await client.chat.completions.create(messages=messages, stream=True, **given)
    ]
    assert "".join(pieces) == said, (pieces, said)
    messages += [{"role": "assistant", "content": said}, {"role": "user", "content": "and?"}]
    again = await client.chat.completions.create(messages=messages, **given)
    assert again.choices[0].message.role == "assistant" and again.usage.prompt_tokens > whole.usage.prompt_tokens
    try:
        await client.chat.completions.create(messages=messages[:2], model="tiny", max_tokens=-1)
    except openai.BadRequestError as e:
        assert e.param == "max_tokens", e
    else:
        raise AssertionError("max_tokens=-1 was taken")


async def main():
    client = openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0, timeout=600)
    models = [model.id async for model in client.models.list()]
    assert models == ["tiny"], models
    begin = time.monotonic()
    *answers, _, _ = await asyncio.gather(
        *(ask(client, i) for i in range(REQUESTS)),
        chat(client),
        asyncio.gather(*(leave(client, i) for i in range(LEAVERS))),
    )
    seconds = time.monotonic() - begin
    wrong = [i for i, answer in enumerate(answers) if answer != generated(case(i)[1])]
    for i in wrong[:5]:
        print(f"{case(i)[0]}: {answers[i]}, expected {generated(case(i)[1])}", file=sys.stderr)
    print(
        f"{REQUESTS} requests at a time, beside {LEAVERS} that go away and a chat: {len(answers)} answers, "
        f"{len(wrong)} of them wrong; {sum(n for _, n in answers)} tokens in {seconds:.2f} s"
    )
    sys.exit(1 if wrong or len(answers) != REQUESTS else 0)


asyncio.run(main())
