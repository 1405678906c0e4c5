import { Kbd, Text } from "@mantine/core";
import { memo } from "react";
import type { ReactNode } from "react";
import {
  crownCodes,
  findingNames,
  findingGroups,
  findingCodes,
  presences,
  surfaces,
} from "@arcada/contract/chart/chart.schema";
import { useTexts } from "../i18n/texts.ts";
import { confirmKey, findingKeys, presenceKeys, severityKey, surfaceKeys } from "./chart-keys.ts";
import { FindingSign } from "./tooth-drawing.tsx";
import classes from "./patient-chart.module.css";

const keyedPresences = presences.filter((name) => name !== "unknown");

/** The keys and what each of them writes. Each group of findings shows its sign. */
export const ChartKeysHelp = memo(function ChartKeysHelp() {
  const t = useTexts("chart");
  const states = keyedPresences.map((name) => [presenceKeys[name], t(`chart.presence.${name}`)] as const);
  const crowns = crownCodes.map((code) => [String(code), t(`chart.crown.${code}`)] as const);
  const more = [
    ["4, 5", t("chart.keys.missing")],
    ["8", t("chart.presence.unerupted")],
    ["9", t("chart.presence.unknown")],
  ] as const;
  const details = [
    ...surfaces.map((name) => [surfaceKeys[name], t(`chart.surface.${name}`)] as const),
    [severityKey, t("chart.keys.severity")] as const,
    [confirmKey, t("chart.keys.confirm")] as const,
    ["⌫", t("chart.keys.removeLast")] as const,
  ];
  return (
    <details className={classes.keys}>
      <summary>{t("chart.keys.title")}</summary>
      <Text size="sm">{t("chart.keys.line")}</Text>
      <KeyGroup title={t("chart.keys.crown")} keys={[...crowns, ...more]} />
      <KeyGroup title={t("chart.keys.presence")} keys={states} />
      <KeyGroup title={t("chart.keys.surfaces")} keys={details} />
      {findingGroups.map((group) => (
        <KeyGroup
          key={group}
          title={t(`chart.group.${group}`)}
          sign={<FindingSign group={group} />}
          keys={findingNames
            .filter((code) => findingCodes[code] === group)
            .map((code) => [`⇧${findingKeys[code]}`, t(`chart.finding.${code}`)] as const)}
        />
      ))}
    </details>
  );
});

interface KeyGroupProps {
  title: string;
  sign?: ReactNode;
  keys: readonly (readonly [string, string])[];
}
function KeyGroup({ title, sign, keys }: KeyGroupProps) {
  return (
    <div className={classes.keyGroup}>
      <Text size="sm" fw={600}>
        {sign} {title}
      </Text>
      <ul>
        {keys.map(([key, what]) => (
          <li key={key}>
            <Kbd size="xs" dir="ltr">
              {key}
            </Kbd>{" "}
            {what}
          </li>
        ))}
      </ul>
    </div>
  );
}
