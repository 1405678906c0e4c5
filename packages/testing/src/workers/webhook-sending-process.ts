import type pg from "pg";
import { startWebhookSender } from "../../../../apps/server/src/integrations/webhook.send.ts";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import { provideServices } from "../../../../apps/server/src/platform/runtime/services.ts";

/** A process that does nothing but send webhooks, until it is killed. */
const { connection, secret } = JSON.parse(process.env.WEBHOOK_WORKER ?? "{}") as {
  connection: pg.PoolConfig;
  secret: string;
};
provideServices({ secret });
startWebhookSender(openDatabase(connection, 4), readConfig({ WEBHOOK_NETWORKS: "127.0.0.0/8" }));
process.stdout.write("ready\n");
