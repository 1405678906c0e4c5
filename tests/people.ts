import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { mail } from "../apps/server/src/kernel/services.ts";
import type { Answer, TestServer } from "./world.ts";

/** The solved proof-of-work that a person's browser sends along. */
export async function human(server: TestServer): Promise<string> {
  const challenge = (await server.ask("account.humanChallenge", {})).data as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

/** The newest code that was sent to this address, from the outbox. */
export async function codeFor(to: string): Promise<string> {
  const letter = (await mail().outbox()).find((one) => one.to.includes(to));
  return /\d{6}/.exec(letter?.text ?? "")?.[0] ?? "";
}

export const goodPassword = "correct-horse-7-battery";

/** Registers as a person would: human check, code, ticket, account. Answers the token. */
export async function register(
  server: TestServer,
  account: string,
  headers: Record<string, string> = {},
): Promise<string> {
  done(await server.ask("account.sendCode", { account, purpose: "register", human: await human(server) }, headers));
  const { ticket } = done(
    await server.ask("account.registerVerify", { account, code: await codeFor(account) }, headers),
  );
  const made = await server.ask(
    "account.register",
    { ticket, password: goodPassword, confirm: goodPassword, intendedRole: "dentist", agree: true, agreeSms: true },
    headers,
  );
  return done(made).token;
}

function done<T>(answer: Answer<T>): T {
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
  return answer.data;
}
