"""What the package openai makes of a server's chat, completions, Responses and models.

Where a stream has a helper, what the helper has put together is the whole answer.
"""
import json

import openai

from checking import PARAMETERS, PROMPT, QUESTION, equal, holds, raises

FUNCTION = {"name": "add", "description": "the sum of two numbers", "parameters": PARAMETERS}
CHAT_TOOLS = [{"type": "function", "function": FUNCTION}]
RESPONSES_TOOLS = [{"type": "function", **FUNCTION}]
USAGE = {"include_usage": True}


def connect(address, headers):
    return openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=30,
                         default_headers=headers)


def counts(usage):
    """Usages that leave out what they may leave out are equal."""
    return usage.model_dump(include={"prompt_tokens", "completion_tokens", "total_tokens",
                                     "input_tokens", "output_tokens"})


def models(client, model):
    equal("ids of the list", [listed.id for listed in client.models.list()], [model])
    equal("id of the retrieved model", client.models.retrieve(model).id, model)
    raises("a model that is not there", openai.NotFoundError,
           lambda: client.models.retrieve("none-of-these"))


def completions(client, model):
    request = dict(model=model, prompt=PROMPT, max_tokens=12, temperature=0)
    whole = client.completions.create(**request)
    holds("text", whole.choices[0].text, whole)
    equal("finish reason of a cut answer", whole.choices[0].finish_reason, "length")
    equal("generated tokens", whole.usage.completion_tokens, 12)
    chunks = list(client.completions.create(**request, stream=True, stream_options=USAGE))
    choices = [choice for chunk in chunks for choice in chunk.choices]
    equal("streamed text", "".join(choice.text for choice in choices), whole.choices[0].text)
    equal("streamed finish reasons",
          [choice.finish_reason for choice in choices if choice.finish_reason is not None],
          ["length"])
    equal("streamed usages", [counts(chunk.usage) for chunk in chunks if chunk.usage],
          [counts(whole.usage)])


def chat(client, model):
    request = dict(model=model, messages=[{"role": "user", "content": PROMPT}], temperature=0)
    for max_tokens, finish in ((12, "length"), (60, "stop")):
        whole = client.chat.completions.create(**request, max_tokens=max_tokens)
        equal("finish reason", whole.choices[0].finish_reason, finish)
        holds("text", whole.choices[0].message.content, whole)
        same_chat(client, whole, request | {"max_tokens": max_tokens})


def same_chat(client, whole, request):
    """What the helper put together is the whole answer; it told the text's end."""
    with client.chat.completions.stream(**request, stream_options=USAGE) as stream:
        events = list(stream)
        try:
            streamed = stream.get_final_completion()
        except openai.LengthFinishReasonError as cut:
            # The helper refuses an answer that was cut, and hands it over with the refusal.
            streamed = cut.completion
    expected, got = whole.choices[0], streamed.choices[0]
    equal("streamed role", got.message.role, "assistant")
    # A call has no text, which streams may say with "" and whole answers with null.
    equal("streamed text", got.message.content or None, expected.message.content or None)
    equal("streamed finish reason", got.finish_reason, expected.finish_reason)
    equal("streamed usage", counts(streamed.usage), counts(whole.usage))
    if expected.message.content:
        equal("texts that are done", [e.content for e in events if e.type == "content.done"],
              [expected.message.content])
    return streamed


def chat_usage(client, model):
    """A usage that nobody asked for is not there, an asked one comes once."""
    request = dict(model=model, messages=[{"role": "user", "content": PROMPT}], max_tokens=4)
    for options, expected in ({}, 0), ({"stream_options": USAGE}, 1):
        chunks = client.chat.completions.create(**request, stream=True, **options)
        equal("usages of a stream", sum(chunk.usage is not None for chunk in chunks), expected)


def chat_tools(client, model):
    turns = [{"role": "user", "content": QUESTION}]
    request = dict(model=model, messages=turns, tools=CHAT_TOOLS, max_tokens=60, temperature=0)
    whole = client.chat.completions.create(**request, tool_choice="required")
    equal("finish reason", whole.choices[0].finish_reason, "tool_calls")
    call = whole.choices[0].message.tool_calls[0]
    equal("name of the call", call.function.name, "add")
    holds("arguments", isinstance(json.loads(call.function.arguments), dict),
          call.function.arguments)
    streamed = same_chat(client, whole, request | {"tool_choice": "required"})
    calls = streamed.choices[0].message.tool_calls or []
    equal("streamed calls", [(c.type, c.function.name, c.function.arguments) for c in calls],
          [("function", "add", call.function.arguments)])
    turns += [whole.choices[0].message.model_dump(exclude_none=True),
              {"role": "tool", "tool_call_id": call.id, "content": "7"}]
    after = client.chat.completions.create(**request)
    holds("text behind the result", after.choices[0].message.content, after)


def responses(client, model):
    request = dict(model=model, input=PROMPT, temperature=0)
    for max_tokens, status in ((12, "incomplete"), (60, "completed")):
        whole = client.responses.create(**request, max_output_tokens=max_tokens)
        equal("status", whole.status, status)
        holds("text", whole.output_text, whole)
        same_response(client, whole, request | {"max_output_tokens": max_tokens})


def same_response(client, whole, request):
    with client.responses.stream(**request) as stream:
        events = list(stream)
    equal("last event", events[-1].type, "response." + whole.status)
    if whole.status == "completed":
        # The helper has no final response where there was no response.completed.
        equal("text of the final response", stream.get_final_response().output_text,
              whole.output_text)
    streamed = events[-1].response
    equal("streamed text", streamed.output_text, whole.output_text)
    equal("types of streamed items", [item.type for item in streamed.output],
          [item.type for item in whole.output])
    equal("streamed usage", counts(streamed.usage), counts(whole.usage))
    equal("text of the deltas",
          "".join(e.delta for e in events if e.type == "response.output_text.delta"),
          whole.output_text)
    equal("texts that are done",
          "".join(e.text for e in events if e.type == "response.output_text.done"),
          whole.output_text)
    return streamed


def responses_reasoning(client, model):
    request = dict(model=model, input=PROMPT, max_output_tokens=60, temperature=0,
                   reasoning={"effort": "low", "summary": "auto"})
    whole = client.responses.create(**request)
    equal("types of items", [item.type for item in whole.output], ["reasoning", "message"])
    streamed = same_response(client, whole, request)
    equal("streamed summary", streamed.output[0].summary, whole.output[0].summary)


def responses_tools(client, model):
    turns = [{"role": "user", "content": QUESTION}]
    request = dict(model=model, input=turns, tools=RESPONSES_TOOLS, max_output_tokens=60,
                   temperature=0)
    whole = client.responses.create(**request, tool_choice="required")
    equal("types of items", [item.type for item in whole.output], ["function_call"])
    call = whole.output[0]
    equal("name of the call", call.name, "add")
    holds("arguments", isinstance(json.loads(call.arguments), dict), call.arguments)
    streamed = same_response(client, whole, request | {"tool_choice": "required"})
    equal("streamed arguments", streamed.output[0].arguments, call.arguments)
    turns += [call.model_dump(exclude_none=True, include={"type", "call_id", "name", "arguments"}),
              {"type": "function_call_output", "call_id": call.call_id, "output": "7"}]
    after = client.responses.create(**request)
    holds("text behind the result", after.output_text, after)


def errors(client, model):
    asked = [{"role": "user", "content": PROMPT}]
    unknown = raises("a model that is not there", openai.NotFoundError,
                     lambda: client.chat.completions.create(model="none-of-these", messages=asked))
    holds("code of the error", isinstance(unknown.code, str), unknown.body)
    refused = raises("a negative limit", openai.BadRequestError,
                     lambda: client.completions.create(model=model, prompt=PROMPT, max_tokens=-1))
    equal("type of the error", refused.type, "invalid_request_error")
    raises("a negative limit of a stream", openai.BadRequestError,
           lambda: client.chat.completions.create(model=model, messages=asked, max_tokens=-1,
                                                  stream=True))


CHECKS = [models, completions, chat, chat_usage, chat_tools, responses, responses_reasoning,
          responses_tools, errors]
