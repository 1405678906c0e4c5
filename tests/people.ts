import { mail } from "../apps/server/src/platform/runtime/services.ts";
import { goodPassword, solveHumanCheck } from "./human.ts";
import type { Answer, TestServer } from "./world.ts";

export const passHumanCheck = async (server: TestServer): Promise<string> =>
  solveHumanCheck(dataOf(await server.ask("account.humanChallenge", {})));

/** The newest code that was sent to this address, from the outbox. */
export async function findSentCode(to: string): Promise<string> {
  const emails = (await mail().outbox()).filter((one) => one.to.includes(to));
  return emails.map(({ text }) => /\b\d{6}(\d{4})?\b/.exec(text)?.[0]).find(Boolean) ?? "";
}

/** Registers as a person would: human check, code, ticket, account. Answers the token. */
export async function register(
  server: TestServer,
  account: string,
  headers: Record<string, string> = {},
): Promise<string> {
  dataOf(
    await server.ask(
      "account.sendCode",
      { account, purpose: "register", human: await passHumanCheck(server) },
      headers,
    ),
  );
  const { ticket } = dataOf(
    await server.ask("account.registerVerify", { account, code: await findSentCode(account) }, headers),
  );
  const made = await server.ask(
    "account.register",
    { ticket, password: goodPassword, confirm: goodPassword, intendedRole: "dentist", agree: true, agreeSms: true },
    headers,
  );
  return dataOf(made).token;
}

function dataOf<T>(answer: Answer<T>): T {
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
  return answer.data;
}
