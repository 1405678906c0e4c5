import { writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { readAdminCommand, runAdminCommand } from "../../../../apps/server/src/admin-commands.ts";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { createTestDatabase } from "./test-database.ts";
import type { TestDatabase } from "./test-database.ts";

interface Result {
  code: number;
  lines: string[];
}
interface AdminSetup extends TestDatabase {
  password: string;
  /** A file with that password. */
  passwordFile: string;
  /** Runs a command as the command line does, with these further settings; `typed` is entered at the prompt. */
  run: (words: string, settings?: Record<string, string>, typed?: string) => Promise<Result>;
  query: <T>(statement: ReturnType<typeof sql<T>>) => Promise<T[]>;
  /** The commands in the audit log about one subject, in order. */
  listCommands: (subject: string | null) => Promise<string[]>;
}

/** A database on which admin commands run, without a server. */
export async function setupAdminCommands(): Promise<AdminSetup> {
  const env = await createTestDatabase();
  const password = "a-long-fine-password-7";
  const passwordFile = path.join(env.folder, "password");
  writeFileSync(passwordFile, `${password}\n`);
  const query: AdminSetup["query"] = (statement) =>
    env.database.asSystem(async (db) => (await statement.execute(db)).rows);
  return {
    ...env,
    password,
    passwordFile,
    run: async (words, settings = {}, typed = password) => {
      const lines: string[] = [];
      const config = readConfig({ DATA_DIR: env.folder, ARCADA_DEMO: "off", ...settings });
      const output = { print: (line: string) => void lines.push(line), promptPassword: async () => typed };
      const command = readAdminCommand(words.split(" "));
      const code = await runAdminCommand(command, config, (work) => work(env.connection), output);
      return { code, lines };
    },
    query,
    listCommands: async (subject) =>
      (
        await query(sql<{ action: string }>`select action from audit
          where action like 'admin.%' and subject is not distinct from ${subject} order by id`)
      ).map(({ action }) => action),
  };
}
