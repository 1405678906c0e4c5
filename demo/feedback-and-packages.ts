import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { versionKey } from "@arcada/contract/upgrade/package-version";
import { readConfig } from "../apps/server/src/platform/runtime/config.ts";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { files } from "../apps/server/src/platform/runtime/services.ts";
import { createSigningKey, readSigningKey } from "../apps/server/src/platform/security/signing-key.ts";
import { demoKeyPath, signPackage } from "../apps/server/src/upgrade/package-signing.ts";
import { demoDevices } from "./devices.ts";

export const demoPackage = "0199a000-0000-7000-8000-00000000d001";
export const demoFeedback = "0199a000-0000-7000-8000-00000000e001";

const packages = [
  {
    id: demoPackage,
    version: "2.4.0",
    name: "2026 秋季更新 Autumn 2026",
    description: [
      "## 新功能 What is new",
      "- 重建速度提高三分之一 Reconstruction is a third faster",
      "- 修复：长时间扫描中断 Fixed: long scans no longer stop",
      "",
      "安装前请确认没有正在进行的扫描。 *Install it while no scan is running.*",
    ].join("\n"),
    withdrawn: null,
  },
  {
    id: "0199a000-0000-7000-8000-00000000d002",
    version: "2.3.1",
    name: "维护更新 Maintenance",
    description: "探测器校准。 Calibration of the detector.",
    withdrawn: "校准表有误 The table of the calibration is wrong",
  },
];

/** Feedback and signed packages on what the demo's devices run; once. */
export async function seedUpgrades(database: Database): Promise<void> {
  const known = await database.asSystem((db) =>
    db.selectFrom("upgrade_package").select("id").where("id", "=", demoPackage).executeTakeFirst(),
  );
  if (known) return;
  const file = demoKeyPath(readConfig().dataDir);
  const key = existsSync(file) ? readSigningKey(file) : createSigningKey(file);
  const stored = await Promise.all(
    packages.map(async (one) => {
      const { sha256, bytes } = await files().put("originals", one.id, fakeSoftware(one.version));
      return { ...one, sha256, size: bytes };
    }),
  );
  await database.asSystem(async (db) => {
    const [operator, member] = [await findUserId(db, "operator"), await findUserId(db, "afterSalesMember")];
    const device = await db
      .selectFrom("device")
      .selectAll()
      .where("id", "=", demoDevices[0]!.id)
      .executeTakeFirstOrThrow();
    const { product } = device;
    for (const { id, name, version, description, withdrawn, sha256, size } of stored)
      await db
        .insertInto("upgrade_package")
        .values({
          id,
          name,
          product,
          version,
          description,
          sha256,
          version_key: versionKey(version),
          file_name: `arcada-${version}.upd`,
          bytes: size,
          signature: signPackage({ product, version, sha256, size }, key).signature,
          signed_by: "demo",
          published_by: operator,
          ...(withdrawn && {
            state: "withdrawn" as const,
            withdrawn_by: operator,
            withdrawn_at: new Date().toISOString(),
            withdrawal_reason: withdrawn,
          }),
        })
        .execute();
    await seedFeedback(db, { author: member, manager: await findUserId(db, "afterSalesAdmin"), product, device });
  });
}

interface FeedbackContext {
  author: string;
  manager: string;
  product: string;
  device: { id: string; clinic_id: string | null; model: string; software_version: string | null };
}
async function seedFeedback(db: Db, { author, manager, product, device }: FeedbackContext): Promise<void> {
  const common = {
    device_id: device.id,
    clinic_id: device.clinic_id,
    product,
    model: device.model,
    software_version: device.software_version ?? "2.3.0",
    ct_detector_type: "CMOS 1512",
    ct_detector_serial: "CT-15120088",
    lateral_detector_type: "CMOS 0730",
    lateral_detector_serial: "LT-07300021",
    device_address: null,
    created_by: author,
  };
  const scan = "扫描到一半停止，提示“探测器超时”。 The scan stops half way with “detector timeout”.";
  const tool = "测量工具的长度在旋转后不变。 A measured length stays where it was when the volume is turned.";
  await db
    .insertInto("software_feedback")
    .values([
      { ...common, id: demoFeedback, page: "scan", description: scan, state: "fixed", fixed_in: "2.4.0", version: 2 },
      { ...common, id: newId(), page: "tool", description: tool, fixed_in: null },
    ])
    .execute();
  const reply = { feedback_id: demoFeedback, user_id: manager };
  const answer = "请发送日志文件的时间。 Please tell when it happened, so that we find it in the log.";
  await db
    .insertInto("feedback_word")
    .values([
      { ...reply, id: newId(), action: "answer", text: answer, fixed_in: null },
      { ...reply, id: newId(Date.now() + 1), action: "fix", text: "", fixed_in: "2.4.0" },
    ])
    .execute();
}

const findUserId = async (db: Db, role: Role): Promise<string> =>
  (
    await db
      .selectFrom("membership")
      .select("user_id")
      .where("authority_id", "=", roles[role].authorityId)
      .orderBy("joined_at")
      .limit(1)
      .executeTakeFirstOrThrow()
  ).user_id;

/** Some bytes, identical at every seeding. */
const fakeSoftware = (version: string): Buffer =>
  Buffer.concat(Array.from({ length: 8192 }, (_, at) => createHash("sha256").update(`${version} ${at}`).digest()));
