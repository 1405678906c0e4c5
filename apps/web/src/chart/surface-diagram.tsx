import { Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { KeyboardEvent } from "react";
import { findingRules, canFindingApply } from "@arcada/contract/chart/chart.rules";
import { findingNames, surfaces } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, FindingCode } from "@arcada/contract/chart/chart.schema";
import { useTexts } from "../i18n/texts.ts";
import { withSurface } from "./chart-edit.ts";
import type { ChartAuthor } from "./chart-edit.ts";
import { surfaceKeys } from "./chart-keys.ts";
import { getSurfaceName } from "@arcada/contract/chart/surface-name";
import { surfacePolygons, mapSurfacesToSides } from "./surface-polygons.ts";
import classes from "./tooth-panel.module.css";

interface SurfaceDiagramProps {
  tooth: ChartTooth;
  author: ChartAuthor;
  onChange: (tooth: ChartTooth) => void;
}

/** The five surfaces of a tooth. A click marks one of them for the selected finding. */
export function SurfaceDiagram({ tooth, author, onChange }: SurfaceDiagramProps) {
  const t = useTexts("chart");
  const [wanted, setWanted] = useState<FindingCode>("caries");
  const presence = tooth.presence === "unknown" ? "present" : tooth.presence;
  const codes = findingNames.filter(
    (code) => findingRules[code].surfaces && canFindingApply(code, { fdi: tooth.fdi, presence }),
  );
  const code = codes.includes(wanted) ? wanted : codes[0];
  if (!code) return null;
  const marked = tooth.findings.find((one) => one.code === code)?.surfaces ?? [];
  const sides = mapSurfacesToSides(tooth.fdi);
  return (
    <fieldset className={classes.group}>
      <legend>{t("chart.panel.surfaces")}</legend>
      <Group align="center" wrap="nowrap" gap="md">
        <div className={classes.diagram}>
          <svg viewBox="0 0 40 40" role="group" aria-label={t("chart.panel.surfaces")}>
            {surfaces.map((surface) => {
              const mark = () => onChange(withSurface(tooth, code, surface, author) ?? tooth);
              return (
                <g
                  key={surface}
                  className={classes.surface}
                  role="checkbox"
                  tabIndex={0}
                  aria-checked={marked.includes(surface)}
                  aria-label={t(`chart.surface.${getSurfaceName(tooth.fdi, surface)}`)}
                  onClick={mark}
                  onKeyDown={(event) => handlePress(event, mark)}
                >
                  <polygon points={surfacePolygons[sides[surface]]} />
                  <text x={labelPoints[sides[surface]][0]} y={labelPoints[sides[surface]][1]} aria-hidden>
                    {surfaceKeys[surface]}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
        <Stack gap={4} miw={0}>
          <Select
            size="xs"
            label={t("chart.panel.surfacesOf")}
            data={codes.map((value) => ({ value, label: t(`chart.finding.${value}`) }))}
            value={code}
            allowDeselect={false}
            onChange={(value) => setWanted((value as FindingCode | null) ?? "caries")}
          />
          <Text size="xs" c="dimmed">
            {marked.map((surface) => t(`chart.surface.${getSurfaceName(tooth.fdi, surface)}`)).join(" · ")}
          </Text>
        </Stack>
      </Group>
    </fieldset>
  );
}

const labelPoints = { top: [20, 8], right: [32, 20], bottom: [20, 32], left: [8, 20], middle: [20, 20] } as const;

function handlePress(event: KeyboardEvent, mark: () => void): void {
  if (event.key !== " " && event.key !== "Enter") return;
  event.preventDefault();
  mark();
}
