import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, emptyObject, nullOutput, int32 } from "../kernel/fields.ts";
import { tokenOutput } from "./account.schema.ts";

export const sessionCalls = {
  logout: call({
    method: "POST",
    path: "/v1/base/logout",
    access: "signedIn",
    summary: "Ends this session.",
    allowedWhileLocked: true,
    input: emptyObject,
    output: nullOutput,
  }),
  touchSession: call({
    method: "POST",
    path: "/v1/user/touchSession",
    access: "signedIn",
    summary:
      "Tells that somebody sits before the screen: only this, and no other call, keeps a browser's session from locking.",
    input: emptyObject,
    output: nullOutput,
  }),
  lockSession: call({
    method: "POST",
    path: "/v1/user/lockSession",
    access: "signedIn",
    summary: "Locks this browser's session until its owner signs in again.",
    allowedWhileLocked: true,
    input: emptyObject,
    output: nullOutput,
  }),
  changeRole: call({
    method: "POST",
    path: "/v1/base/changeUserRole",
    access: "signedIn",
    summary: "Continues in another authority that the user holds.",
    input: z.object({ authorityId: int32, uuid: id }),
    output: tokenOutput,
  }),
  sessions: call({
    method: "GET",
    path: "/v1/user/sessions",
    access: "signedIn",
    summary: "Where this user is signed in.",
    input: emptyObject,
    output: z.array(
      z.object({
        id,
        kind: z.enum(["browser", "api"]),
        agent: z.string(),
        since: instant,
        seen: instant,
        current: z.boolean(),
      }),
    ),
  }),
  endSession: call({
    method: "POST",
    path: "/v1/user/endSession",
    access: "signedIn",
    summary: "Signs one of the user's sessions out.",
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;
