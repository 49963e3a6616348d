"""What the package anthropic makes of a server's Messages."""
import anthropic

from checking import PARAMETERS, PROMPT, QUESTION, equal, holds, raises

TOOLS = [{"name": "add", "description": "the sum of two numbers", "input_schema": PARAMETERS}]


def connect(address, headers):
    return anthropic.Anthropic(base_url=address, api_key="none", max_retries=0, timeout=30,
                               default_headers=headers)


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def blocks_of(message):
    """Without ids and signatures, which differ from answer to answer."""
    return [block.model_dump(include={"type", "text", "thinking", "name", "input"})
            for block in message.content]


def prompt_tokens(usage):
    """All parts of the prompt: what is cached is no longer computed when it is asked again."""
    return (usage.input_tokens + (usage.cache_read_input_tokens or 0) +
            (usage.cache_creation_input_tokens or 0))


def same_message(client, whole, request):
    """What the helper put together is the whole answer."""
    with client.messages.stream(**request) as stream:
        texts = "".join(stream.text_stream)
        streamed = stream.get_final_message()
    equal("text of the stream", texts, text_of(whole))
    equal("blocks of the final message", blocks_of(streamed), blocks_of(whole))
    equal("streamed stop reason", streamed.stop_reason, whole.stop_reason)
    equal("streamed stop sequence", streamed.stop_sequence, whole.stop_sequence)
    equal("streamed tokens of the prompt", prompt_tokens(streamed.usage), prompt_tokens(whole.usage))
    equal("streamed tokens of the answer", streamed.usage.output_tokens, whole.usage.output_tokens)


def messages(client, model):
    request = dict(model=model, messages=[{"role": "user", "content": PROMPT}])
    for max_tokens, reason in ((12, "max_tokens"), (60, "end_turn")):
        whole = client.messages.create(**request, max_tokens=max_tokens)
        equal("stop reason", whole.stop_reason, reason)
        holds("text", text_of(whole), whole)
        same_message(client, whole, request | {"max_tokens": max_tokens})


def messages_stop(client, model):
    request = dict(model=model, max_tokens=60, messages=[{"role": "user", "content": PROMPT}])
    words = text_of(client.messages.create(**request)).split(" ")
    holds("an answer of several words", len(words) > 3, words)
    stop = words[2] + " " + words[3]
    stopped = client.messages.create(**request, stop_sequences=[stop])
    equal("stop reason", stopped.stop_reason, "stop_sequence")
    equal("stop sequence", stopped.stop_sequence, stop)
    equal("text", text_of(stopped), " ".join(words[:2]) + " ")
    same_message(client, stopped, request | {"stop_sequences": [stop]})


def messages_thinking(client, model):
    request = dict(model=model, max_tokens=60, messages=[{"role": "user", "content": PROMPT}],
                   thinking={"type": "enabled", "budget_tokens": 16})
    whole = client.messages.create(**request)
    equal("types of blocks", [block.type for block in whole.content], ["thinking", "text"])
    holds("signature", whole.content[0].signature, whole.content[0])
    same_message(client, whole, request)


def messages_tools(client, model):
    turns = [{"role": "user", "content": QUESTION}]
    request = dict(model=model, messages=turns, tools=TOOLS, max_tokens=60)
    whole = client.messages.create(**request, tool_choice={"type": "any"})
    equal("stop reason", whole.stop_reason, "tool_use")
    call = whole.content[-1]
    equal("name of the call", call.name, "add")
    holds("arguments", isinstance(call.input, dict) and call.input, call.input)
    same_message(client, whole, request | {"tool_choice": {"type": "any"}})
    turns += [{"role": "assistant", "content": [
                  {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}]},
              {"role": "user", "content": [
                  {"type": "tool_result", "tool_use_id": call.id, "content": "7"}]}]
    after = client.messages.create(**request)
    holds("text behind the result", text_of(after), after)


def errors(client, model):
    asked = [{"role": "user", "content": PROMPT}]
    unknown = raises("a model that is not there", anthropic.NotFoundError,
                     lambda: client.messages.create(model="none-of-these", messages=asked,
                                                    max_tokens=4))
    equal("type of the envelope", unknown.body.get("type"), "error")
    equal("type of the error", unknown.body["error"]["type"], "not_found_error")
    raises("a negative limit", anthropic.BadRequestError,
           lambda: client.messages.create(model=model, messages=asked, max_tokens=-1))


CHECKS = [messages, messages_stop, messages_thinking, messages_tools, errors]
