import { healthRules } from "@arcada/contract/operator/health.calls";
import { accountRules, isEmail } from "@arcada/contract/account/account.rules";
import { publicAddress } from "@arcada/contract/operator/installation-checks.calls";
import type { InstallationCheck } from "@arcada/contract/operator/installation-checks.calls";
import { recordCommand } from "../platform/audit/command-audit.ts";
import { sendEmailNow } from "../platform/mail/email-queue.ts";
import { MailError } from "../platform/mail/message-types.ts";
import { SmsError } from "../platform/mail/sms.ts";
import { adminCommand, formatTable } from "../platform/runtime/admin-command.ts";
import { StartError } from "../platform/runtime/config.ts";
import { storePublicAddress } from "../platform/runtime/public-address.ts";
import { jobs } from "../platform/runtime/services.ts";
import { checkInstallation } from "./check-installation.ts";

export const operatorCommands = [
  adminCommand({
    name: "list-jobs",
    summary: "Lists the queues, and the jobs that were given up, the latest first.",
    options: { queue: { value: "QUEUE", help: "given-up jobs of this queue alone" } },
    run: async ({ queue }, { print }) => {
      const counts = (await jobs().counts()).filter(({ name }) => queue === undefined || name === queue);
      const rows = counts.map((one) => [one.name, ...[one.waiting, one.active, one.dead].map(String)]);
      for (const line of formatTable([["QUEUE", "WAITING", "RUNNING", "GIVEN UP"], ...rows])) print(line);
      const failed = await jobs().failed(healthRules.maxFailedJobs, queue);
      if (failed.length === 0) return 0;
      print("");
      const jobRows = failed.map((job) => [job.queue, job.id, job.failedAt ?? "-", String(job.tries), job.error]);
      for (const line of formatTable([["QUEUE", "JOB", "SINCE", "ATTEMPTS", "ERROR"], ...jobRows])) print(line);
      return 0;
    },
  }),
  adminCommand({
    name: "retry-job",
    summary: "Lets a job that was given up run once more.",
    options: {
      queue: { value: "QUEUE", required: true, help: "its queue, as list-jobs names it" },
      id: { value: "JOB", required: true, help: "its id, as list-jobs names it" },
    },
    run: async ({ queue, id }, { database, print }) => {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new StartError(`${id} is no job's id.`);
      if (!(await jobs().retry(queue, id))) {
        print(`${queue} has no given-up job ${id}.`);
        return 1;
      }
      await database.asSystem((db) => recordCommand(db, "retryJob", id, { queue }));
      print(`The job runs as soon as a worker is free.`);
      return 0;
    },
  }),
  adminCommand({
    name: "check-config",
    summary:
      "Checks the settings, the database, and what an installation needs before people use it. Exit code 1: something is missing.",
    options: {},
    run: async (_, { config, database, print }) => {
      const checks = await database.asSystem((db) => checkInstallation(db, config, new Date()));
      for (const { name, state } of checks) print(`${state.padEnd(8)} ${checkTexts[name]}`);
      print(`Data: ${config.dataDir}`);
      return checks.some(({ state }) => state === "missing") ? 1 : 0;
    },
  }),
  adminCommand({
    name: "set-public-url",
    summary:
      "Sets the address that people open, for an installation without PUBLIC_URL. It applies when the server starts.",
    options: {
      url: { value: "URL", help: "such as https://arcada.clinic.example; without it the address is removed" },
    },
    run: async ({ url }, { config, database, print }) => {
      if (config.isPublicUrlFixed) throw new StartError("PUBLIC_URL is set; change it there.");
      const address = url === undefined ? null : publicAddress.safeParse(url).data;
      if (address === undefined) throw new StartError(`${url} is no address such as https://arcada.clinic.example.`);
      await database.asSystem(async (db) => {
        await storePublicAddress(db, address && new URL(address).origin);
        await recordCommand(db, "setPublicUrl", null, { url: address });
      });
      print(address === null ? "The public address is removed. Restart Arcada." : `Restart Arcada to use ${address}.`);
      return 0;
    },
  }),
  adminCommand({
    name: "send-test-mail",
    summary: "Sends an email at once and reports the mail server's answer. Exit code 1: it was not accepted.",
    options: { to: { value: "EMAIL", required: true, help: "the recipient" } },
    run: async ({ to }, { config, database, print }) => {
      if (!isEmail(to)) throw new StartError(`${to} is no email address.`);
      if (!config.SMTP_URL) {
        print("SMTP_URL is not set, so no email is sent.");
        return 1;
      }
      try {
        await sendEmailNow(config, { to, language: "en", name: "test" });
      } catch (error) {
        if (!(error instanceof MailError)) throw error;
        print(`The mail server did not accept it (${error.message}). Check SMTP_URL and MAIL_FROM.`);
        return 1;
      }
      await database.asSystem((db) => recordCommand(db, "sendTestMail", null));
      print(`The mail server accepted an email to ${to}.`);
      return 0;
    },
  }),
  adminCommand({
    name: "send-test-sms",
    summary:
      "Sends the text of a code, 000000, at once and reports the provider's answer. Exit code 1: it was not accepted.",
    options: { to: { value: "NUMBER", required: true, help: "the recipient, as +8613912345678" } },
    run: async ({ to }, { config, database, print }) => {
      if (!/^\+\d{6,15}$/.test(to)) throw new StartError(`${to} is no phone number such as +8613912345678.`);
      if (!config.SMS_URL) {
        print("SMS_URL is not set, so no text message is sent.");
        return 1;
      }
      try {
        // Many providers know no other text than that of their template for codes.
        const values = { code: "000000", minutes: accountRules.codeSeconds / 60 };
        await sendEmailNow(config, { to, language: "en", name: "code", values, channel: "sms" });
      } catch (error) {
        if (!(error instanceof SmsError)) throw error;
        print(`The provider did not accept it (${error.message}). Check the settings that begin with SMS_.`);
        if (error.answer) print(`Its answer: ${JSON.stringify(error.answer)}`);
        return 1;
      }
      await database.asSystem((db) => recordCommand(db, "sendTestSms", null));
      print(`The provider accepted a text message to ${to}.`);
      return 0;
    },
  }),
];

const checkTexts: Record<InstallationCheck, string> = {
  demo: "ARCADA_DEMO=off: the demo accounts have a public password",
  publicUrl: "PUBLIC_URL: the address that people open",
  https: "https in PUBLIC_URL: without it passwords and images travel in the open",
  mail: "SMTP_URL: without it nobody receives codes, invitations or warnings",
  sms: "SMS_URL: without it nobody can use a phone number as an account; see docs/operator/text-messages.md",
  secretKey: "SECRET_KEY: without it the key lies in DATA_DIR, beside what it protects",
  backup: "BACKUP_DIR: a backup every night, and one within the last 26 hours; see docs/operator/backup.md",
};
