import { reportCalls } from "@arcada/contract/report/report.calls";
import type { DemoClient } from "./demo-client.ts";

interface ReportTexts {
  examination: string;
  diagnosis: string;
  advice: string;
}
/** The reports that the demo's dentist has written and signed, by the patient's entry. */
const reports: Record<string, ReportTexts> = {
  "M-1001": {
    examination:
      "11 冠折，近中继发龋；21 远中深龋，冷刺激敏感；46 舌侧牙石。16 充填体完整。\n11 fractured with mesial decay; 21 deep decay, sensitive to cold; 46 lingual calculus.",
    diagnosis: "11、21 龋病；11 冠折；36 缺失。\nCaries of 11 and 21; fractured crown of 11; 36 missing.",
    advice:
      "11 全冠修复，21 充填，36 桥修复，全口洁治；三个月后复查。\nCrown for 11, filling of 21, bridge for 36, scaling; recall in three months.",
  },
};

/** One signed report of those patients, unless it is there. */
export async function seedReport(
  dentist: DemoClient,
  { patientId, entry, password }: { patientId: string; entry: string; password: string },
  key: string,
): Promise<void> {
  const texts = reports[entry];
  if (!texts) return;
  const { list } = await dentist.ask(reportCalls.list, { patientId });
  if (list.some(({ state }) => state === "signed")) return;
  const begun = await dentist.ask(reportCalls.create, { patientId, source: "ai" }, key);
  const report = await dentist.ask(reportCalls.detail, { id: begun.id });
  const images = report.choices.images.slice(0, 2).map(({ studyId, instanceId }) => ({ studyId, instanceId }));
  const form = { ...report.form, ...texts, images };
  const { version } = await dentist.ask(reportCalls.save, { id: report.id, version: report.version, form, seen: true });
  await dentist.ask(reportCalls.sign, { id: report.id, version, password });
}
