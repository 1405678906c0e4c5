import { adminCommand, formatTable, readWholeNumber } from "../../platform/runtime/admin-command.ts";
import type { AdminServices } from "../../platform/runtime/admin-command.ts";
import { StartError } from "../../platform/runtime/config.ts";
import { readPasswordFile } from "../../platform/runtime/password-input.ts";
import { publicAddress } from "../../platform/mail/email-queue.ts";
import { isEmail } from "@arcada/contract/account/account.rules";
import { setupRules } from "@arcada/contract/account/setup.calls";
import { createOperator, findAccountHolder, resetFactors, resetPassword, setSuspended } from "./account.admin.ts";
import { listUsers } from "./users.store.ts";

const account = {
  value: "ACCOUNT",
  required: true,
  help: "the email address, or the phone number as +8613912345678",
} as const;
const passwordOptions = {
  "password-file": { value: "FILE", help: "read the password from the first line of a file" },
  prompt: { help: "ask for the password at the terminal" },
} as const;
const linkNote = `Without a password it prints a one-time link, valid for ${setupRules.linkSeconds / 60} minutes.`;
const listLimit = { default: 50, most: 1000 } as const;

export const accountCommands = [
  adminCommand({
    name: "create-operator",
    summary: `Makes an operator. A new account gets its password here. ${linkNote}`,
    options: {
      email: { value: "EMAIL", required: true, help: "the address with which the operator signs in" },
      name: { value: "NAME", help: "the name that others see; default: the part of the address before the @" },
      ...passwordOptions,
    },
    run: async ({ email, name, ...how }, services) => {
      if (!isEmail(email)) throw new StartError(`${email} is no email address.`);
      const made = await createOperator(
        services,
        { email, name: name ?? email.replace(/@.*/, "") },
        await readPassword(how, services),
      );
      printLink(services, made);
      return 0;
    },
  }),
  adminCommand({
    name: "reset-password",
    summary: `Sets a new password and ends all sessions of the account. ${linkNote}`,
    options: { account, ...passwordOptions },
    run: async ({ account: whose, ...how }, services) => {
      const holder = await findAccountHolder(services, whose);
      printLink(services, await resetPassword(services, holder, await readPassword(how, services)));
      return 0;
    },
  }),
  adminCommand({
    name: "reset-factors",
    summary:
      "Removes authenticator app, recovery codes and passkeys of an account whose owner has lost them, and ends all its sessions.",
    options: { account },
    run: async ({ account: whose }, services) => {
      await resetFactors(services, await findAccountHolder(services, whose));
      services.print(`${whose} signs in with the password alone, and can set up two steps again.`);
      return 0;
    },
  }),
  adminCommand({
    name: "list-users",
    summary: "Lists accounts with their roles and their last activity, by name.",
    options: {
      search: { value: "TEXT", help: "part of a name, an address or a number" },
      limit: { value: "NUMBER", help: `how many at most; default: ${listLimit.default}` },
    },
    run: async ({ search = "", limit }, { database, print }) => {
      const most = limit === undefined ? listLimit.default : readWholeNumber("limit", limit, listLimit.most);
      const { users, total } = await listUsers(database, search, most);
      const rows = users.map((user) => [user.account ?? "-", user.name, user.state, user.roles, user.seen ?? "never"]);
      for (const line of formatTable([["ACCOUNT", "NAME", "STATE", "ROLES", "LAST ACTIVE"], ...rows])) print(line);
      print(`${users.length} of ${total}.`);
      return 0;
    },
  }),
  adminCommand({
    name: "disable-user",
    summary: "Suspends an account and ends all its sessions. Its data stays.",
    options: { account },
    run: async ({ account: whose }, services) => {
      const changed = await setSuspended(services, await findAccountHolder(services, whose), true);
      services.print(changed ? `${whose} is suspended.` : `${whose} was suspended already.`);
      return 0;
    },
  }),
  adminCommand({
    name: "enable-user",
    summary: "Ends the suspension of an account.",
    options: { account },
    run: async ({ account: whose }, services) => {
      const changed = await setSuspended(services, await findAccountHolder(services, whose), false);
      services.print(changed ? `${whose} can sign in again.` : `${whose} was not suspended.`);
      return 0;
    },
  }),
];

/** Null: a link is wanted. */
async function readPassword(
  how: { "password-file": string | undefined; prompt: boolean },
  { promptPassword }: AdminServices,
): Promise<string | null> {
  const file = how["password-file"];
  if (file !== undefined && how.prompt) throw new StartError("Give --password-file or --prompt, not both.");
  if (file !== undefined) return readPasswordFile(file);
  return how.prompt ? promptPassword() : null;
}

function printLink({ print, config }: AdminServices, { done, path }: { done: string; path: string | null }): void {
  print(done);
  if (path === null) return;
  print(`${publicAddress(config)}${path}`);
  print(`The link works once, for ${setupRules.linkSeconds / 60} minutes. Whoever has it sets the password.`);
}
