import { setupRules } from "@arcada/contract/account/setup.calls";
import { createFirstOperatorLink } from "./account/setup/setup-link.ts";
import { demoAccounts } from "./domain/demo-accounts.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { RunningServer } from "./start.ts";

/** Says which accounts with a known password a start without the demo has suspended. */
export function describeClosedDemo(accounts: readonly string[]): string {
  return `The demo is off: its accounts with the known password are suspended (${accounts.join(", ")}). ARCADA_DEMO=on opens them again.`;
}

/** Prints the link of the first operator. Only this machine's log has the link: whoever reads it owns the machine. */
export async function announceSetup(config: Config, { database, address }: RunningServer): Promise<void> {
  const path = await createFirstOperatorLink(database);
  if (path === null) return;
  const base = (config.PUBLIC_URL ?? address!.replace("127.0.0.1", "localhost")).replace(/\/$/, "");
  process.stdout.write(
    `\nThis installation has no operator yet. Create the account at this link (once, for ${setupRules.linkSeconds / 60} minutes; a restart prints a new one):\n  ${base}${path}\n`,
  );
}

/** Prints the address at which the product answers, and the accounts of the demo. */
export function announce({ dataDir }: Config, address: string, demo: boolean): void {
  const lines = [`Arcada is ready: ${address.replace("127.0.0.1", "localhost")}`];
  if (demo) {
    lines.push("", `Demo accounts (password ${demoAccounts.password}):`);
    for (const { account, name, role } of demoAccounts.accounts)
      lines.push(`  ${account.padEnd(26)} ${role.padEnd(17)} ${name}`);
    lines.push(
      "",
      "Patients, images and orders of the demo appear within a minute of the first start.",
      "Codes and letters: /outbox   Calls: /docs   Stop: Ctrl-C",
    );
  }
  lines.push("", `Data: ${dataDir}`);
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
