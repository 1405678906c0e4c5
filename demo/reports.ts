import { reportCalls } from "@arcada/contract/report/report.calls";
import type { DemoClient } from "./demo-client.ts";

interface ReportTexts {
  examination: string;
  diagnosis: string;
  advice: string;
  /** By tooth. */
  plans: Readonly<Record<number, string>>;
}
/** The reports that the demo's dentist has written and signed, by the patient's entry. */
const reports: Record<string, ReportTexts> = {
  "M-1001": {
    examination:
      "11 冠折，近中继发龋；21 远中深龋，冷刺激敏感；46 舌侧牙石。16 充填体完整。\n11 fractured with mesial decay; 21 deep decay, sensitive to cold; 46 lingual calculus.",
    diagnosis: "11、21 龋病；11 冠折；36 缺失。\nCaries of 11 and 21; fractured crown of 11; 36 missing.",
    advice:
      "一个月内完成 11、21 · 11 and 21 within a month\n全口洁治 · Scaling\n36 桥修复 · Bridge for 36\n三个月后复查 · Recall in three months",
    plans: { 11: "全冠修复 · Crown", 21: "去腐充填 · Filling" },
  },
};

/** One signed report of those patients, unless it is there. */
export async function seedReport(
  dentist: DemoClient,
  { patientId, entry, password }: { patientId: string; entry: string; password: string },
  key: string,
): Promise<void> {
  const written = reports[entry];
  if (!written) return;
  const { plans, ...texts } = written;
  const { list } = await dentist.ask(reportCalls.list, { patientId });
  if (list.some(({ state }) => state === "signed")) return;
  const begun = await dentist.ask(reportCalls.create, { patientId, source: "ai" }, key);
  const report = await dentist.ask(reportCalls.detail, { id: begun.id });
  const images = report.choices.images.slice(0, 2).map(({ studyId, instanceId }) => ({ studyId, instanceId }));
  const problems = report.form.problems.map((problem) => {
    const plan = plans[problem.fdi ?? 0];
    return { ...problem, ...(plan && { plan }) };
  });
  const form = { ...report.form, ...texts, problems, images };
  const { version } = await dentist.ask(reportCalls.save, { id: report.id, version: report.version, form, seen: true });
  await dentist.ask(reportCalls.sign, { id: report.id, version, password });
}
