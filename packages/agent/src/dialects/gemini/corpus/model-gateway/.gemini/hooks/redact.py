#!/usr/bin/env python3
import json, re, sys

EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+")
data = json.load(sys.stdin)
event = data["hook_event_name"]

if event == "BeforeModel":
    request = data["llm_request"]
    last = request["messages"][-1]["content"]
    if last.strip() == "/ping":
        reply = {"candidates": [{"content": {"role": "model", "parts": ["pong"]}, "finishReason": "STOP"}]}
        print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "llm_response": reply}}))
        sys.exit(0)
    for message in request["messages"]:
        message["content"] = EMAIL.sub("[email]", message["content"])
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "llm_request": {"messages": request["messages"]}}}))
else:
    response = data["llm_response"]
    for candidate in response["candidates"]:
        candidate["content"]["parts"] = [EMAIL.sub("[email]", part) for part in candidate["content"]["parts"]]
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "llm_response": response}}))
