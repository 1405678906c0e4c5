import { sign } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  maxClaimError,
  detectionF1,
  missingPrecision,
  numberingF1,
  findTrialFaults,
} from "@arcada/analysis/pack/engine-trial-figures";
import {
  trialFormat,
  trialLimits,
  describeTrial,
  type TrialFault,
  type TrialFigures,
  type TrialResult,
} from "@arcada/contract/analysis/engine-trial";
import { readSigningKey } from "../../platform/security/signing-key.ts";
import { runTrial } from "./run-pack-trial.ts";

// Tries a pack without a server or database: the images need not leave the place at which they are held back.
const usage = `Usage:
  try-pack PACK.zip FOLDER [--key KEY.pem [--out FILE]]
FOLDER: an archive of images for training and trials, unpacked. With --key the result is signed and written to FILE (PACK.zip.trial.json), to be added to the installed pack.`;

const formatPercent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** Returns the figures of a trial as sentences. */
function describeResult(result: TrialResult): string[] {
  const { figures } = result;
  const { images, teeth, boxes, found, numbered, failed, missing } = figures;
  const right = missingPrecision(figures);
  const error = maxClaimError(figures);
  return [
    `${result.engine} ${result.version}, SHA-256 ${result.pack}`,
    `on ${images} panoramas held back from training, set ${result.set}:`,
    `  teeth found: F1 ${formatPercent(detectionF1(figures))} (${found} of ${teeth}, ${boxes} boxes given)`,
    `  teeth found under their own number: F1 ${formatPercent(numberingF1(figures))} (${numbered})`,
    `  called missing by giving no tooth: ${right === null ? "none" : `${formatPercent(right)} right (${missing.right} of ${missing.named})`}`,
    `  claims: ${error === null ? "none that could be judged" : `off by ${formatPercent(error)} at most`}`,
    ...figures.claims.map(
      ({ claim, n, right: were }) =>
        `    ${formatPercent(claim)} claimed: ${formatPercent(were / n)} right (${were} of ${n})${n < trialLimits.claims ? ", too few to be judged" : ""}`,
    ),
    ...(failed > 0 ? [`  images that it came to nothing with: ${failed}; their teeth count as not found`] : []),
    ...describeLeftOut(figures),
  ];
}

const leftOutTexts: Record<keyof TrialFigures["leftOut"], string> = {
  notHeldBack: "may have been trained with",
  notWhole: "do not tell all 32 positions with the places of their teeth",
  ownBoxes: "have boxes that this engine drew itself",
  twice: "are there twice",
  unfit: "are no panoramas with labels",
};
const describeLeftOut = ({ leftOut }: TrialFigures): string[] =>
  (Object.keys(leftOutTexts) as (keyof typeof leftOutTexts)[])
    .filter((why) => leftOut[why] > 0)
    .map((why) => `  left out: ${leftOut[why]}, which ${leftOutTexts[why]}`);

const faultTexts: Record<TrialFault, (figures: TrialFigures) => string> = {
  imagesFew: ({ images }) => `images: ${images}, at least ${trialLimits.images} are needed`,
  detectionLow: (figures) =>
    `teeth found: F1 ${formatPercent(detectionF1(figures))}, below ${formatPercent(trialLimits.detection)}`,
  numberingLow: (figures) =>
    `teeth found under their own number: F1 ${formatPercent(numberingF1(figures))}, below ${formatPercent(trialLimits.numbering)}`,
  claimsNone: () => "claims: it does not say how often its answers are right",
  claimsFew: () => `claims: none was made ${trialLimits.claims} times, so that none could be judged`,
  claimsOff: (figures) =>
    `claims: off by ${formatPercent(maxClaimError(figures) ?? 1)}, more than ${formatPercent(trialLimits.calibration)}`,
};

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { key: { type: "string" }, out: { type: "string" } },
    allowPositionals: true,
  });
  const [pack, folder] = positionals;
  if (pack === undefined || folder === undefined || !existsSync(pack) || !existsSync(folder)) return printError(usage);
  const key = values.key === undefined ? null : readSigningKey(values.key);
  const outcome = await runTrial(pack, folder, (images) => process.stderr.write(`\r${images} `));
  process.stderr.write("\r");
  if ("refused" in outcome) return printError(outcome.refused);
  const { result, faultsOfRuns } = outcome;
  const faults = findTrialFaults(result.figures);
  const verdict =
    faults.length === 0
      ? ["It has passed."]
      : ["It has not passed:", ...faults.map((fault) => `  ${faultTexts[fault](result.figures)}`)];
  process.stdout.write(
    `${[...describeResult(result), ...faultsOfRuns.map((line) => `    ${line}`), ...verdict].join("\n")}\n`,
  );
  if (key) {
    const out = values.out ?? `${pack}.trial.json`;
    const signature = sign(null, Buffer.from(describeTrial(result)), key).toString("base64");
    writeFileSync(
      out,
      `${JSON.stringify({ format: trialFormat, ...result, algorithm: "Ed25519", signature }, null, 2)}\n`,
    );
    process.stdout.write(`Signed: ${out}\n`);
  }
  return faults.length === 0 ? 0 : 1;
}

function printError(line: string): number {
  process.stderr.write(`${line}\n`);
  return 2;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = printError(error instanceof Error ? error.message : String(error));
}
