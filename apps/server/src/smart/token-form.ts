import { z } from "zod";
import { limited } from "@arcada/contract/kernel/fields";
import { findUnstorablePath } from "@arcada/contract/kernel/storable-text";
import { smartRules } from "@arcada/contract/smart/smart.rules";

/** The parameters of the endpoints for tokens; others are ignored, as RFC 6749 asks. */
const tokenForm = z.object({
  grant_type: limited(60).optional(),
  code: limited(200).optional(),
  redirect_uri: limited(smartRules.maxAddressLength).optional(),
  code_verifier: limited(128).optional(),
  client_id: limited(60).optional(),
  client_assertion: limited(8000).optional(),
  client_assertion_type: limited(100).optional(),
  refresh_token: limited(200).optional(),
  scope: limited(2000).optional(),
  token: limited(200).optional(),
});
export type TokenForm = z.output<typeof tokenForm>;

/** Reads an encoded form; null if a parameter comes twice, is too long or cannot be stored. */
export function parseTokenForm(body: string): TokenForm | null {
  const parameters = new URLSearchParams(body);
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) return null;
  const raw = Object.fromEntries(parameters);
  return findUnstorablePath(raw) ? null : (tokenForm.safeParse(raw).data ?? null);
}

/** RFC 6749, 5.2. */
export type TokenError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope";
