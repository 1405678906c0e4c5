import { Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp } from "@tabler/icons-react";
import type { CaseRemark } from "@arcada/exchange/lab-case/lab-case";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import classes from "./case-import.module.css";

/** Remarks on values that were taken over in another form; the rest was not taken over. */
const guesses: readonly CaseRemark["kind"][] = [
  "unknownWork",
  "workNearlyEqual",
  "severalMaterials",
  "arrangedAsWritten",
  "nameInOneField",
];

/** Lists the values that were guessed, and those that were not taken over. */
export function CaseRemarks({ remarks }: { remarks: readonly CaseRemark[] }) {
  const groups = [
    ["guessed", remarks.filter(({ kind }) => guesses.includes(kind))],
    ["dropped", remarks.filter(({ kind }) => !guesses.includes(kind))],
  ] as const;
  return groups.map(([name, own]) => own.length > 0 && <RemarkGroup key={name} name={name} remarks={own} />);
}

function RemarkGroup({ name, remarks }: { name: "guessed" | "dropped"; remarks: readonly CaseRemark[] }) {
  const t = useTexts("labCase");
  const teeth = useToothNames();
  const Icon = name === "guessed" ? IconAlertTriangle : IconArrowBackUp;
  return (
    <div className={classes.remarks} data-remarks={name}>
      <Text size="sm" fw={500}>
        <Icon size={16} aria-hidden className={classes.icon} /> {t(`labCase.part.${name}`)}
      </Text>
      <ul className={classes.lines}>
        {remarks.map(({ kind, teeth: own, word }, at) => (
          <li key={at} className={classes.line}>
            <Text component="span" size="sm" fw={600} className={classes.teeth!}>
              {own.length > 0 ? teeth.text(own) : "–"}
            </Text>
            <Text component="span" size="sm">
              {t(`labCase.remark.${kind}`, { word: word ?? "" })}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
