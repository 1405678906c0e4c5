import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import type { PictureFile } from "../picture/load-picture.ts";
import { ScaleText } from "./scale-text.tsx";
import type { Ruling } from "./use-ruling.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  tracing: Tracing;
  ruling: Ruling;
  opened: CephOpened;
  file: PictureFile | null;
}

/**
 * The scale in use, and the ways to choose another: the file's, the scale of a ruler that an engine has found, or two
 * points.
 */
export function ScalePanel({ tracing, ruling, opened, file }: Props) {
  const t = useTexts("ceph");
  const { calibration } = tracing.content;
  const take = (source: "file" | "ruler", width: number) =>
    tracing.change({ calibration: { source, width, magnification: 1, line: null } });
  const { scale, scales } = opened.proposals;
  const spacing = file?.spacing ?? null;
  return (
    <Stack gap="sm" align="stretch">
      <ScaleText calibration={calibration} />
      {spacing && (
        <Button size="xs" variant="default" onClick={() => take("file", spacing.column)}>
          {t("ceph.calibration.useFile", { mm: showNumber(spacing.column, 4) })}
        </Button>
      )}
      {scale !== null && (
        <Button size="xs" variant="default" onClick={() => take("ruler", scale)}>
          {t("ceph.calibration.useRuler", { mm: showNumber(scale, 4) })}
        </Button>
      )}
      {scales.length > 1 && <Readings scales={scales} onTake={(width) => take("ruler", width)} />}
      {scale !== null && spacing && <Difference ruler={scale} file={spacing.column} />}
      {ruling.points ? (
        <RulingForm ruling={ruling} count={ruling.points.length} />
      ) : (
        <Button size="xs" variant="default" onClick={ruling.start}>
          {t("ceph.calibration.usePoints")}
        </Button>
      )}
      {calibration && (
        <>
          <NumberInput
            size="xs"
            label={t("ceph.calibration.magnification")}
            description={t("ceph.calibration.magnificationSaid")}
            value={calibration.magnification}
            min={0.5}
            max={3}
            step={0.01}
            decimalScale={4}
            onChange={(typed) =>
              typeof typed === "number" &&
              typed >= 0.5 &&
              typed <= 3 &&
              typed !== calibration.magnification &&
              tracing.change({ calibration: { ...calibration, magnification: typed } })
            }
          />
          <Button size="xs" variant="subtle" color="red" onClick={() => tracing.change({ calibration: null })}>
            {t("ceph.calibration.clear")}
          </Button>
        </>
      )}
    </Stack>
  );
}

/**
 * Offers the readings of a ruler: only a user who knows the ruler can say which of them is right, by its length from
 * the first detected mark to the last.
 */
function Readings({ scales, onTake }: { scales: CephOpened["proposals"]["scales"]; onTake: (width: number) => void }) {
  const t = useTexts("ceph");
  return (
    <Stack gap="xs" role="group" aria-label={t("ceph.calibration.ruler")}>
      <Text size="xs" c="yellow">
        {t("ceph.calibration.readings")}
      </Text>
      {scales.map(({ width, mm }) => (
        <Button key={width} size="xs" variant="default" onClick={() => onTake(width)}>
          {t("ceph.calibration.useReading", { length: showNumber(mm, 0), mm: showNumber(width, 4) })}
        </Button>
      ))}
    </Stack>
  );
}

/** The least relative difference that is reported: twice the tolerance of a ruler's readings. */
const leastDifference = 0.02;

/**
 * Reports a difference between the ruler and the file: a ruler in the middle of the head is magnified like the head, a
 * detector's spacing is not.
 */
function Difference({ ruler, file }: { ruler: number; file: number }) {
  const t = useTexts("ceph");
  const difference = Math.abs(file / ruler - 1);
  if (difference < leastDifference) return null;
  return (
    <Text size="xs" c="yellow" role="status">
      {t("ceph.calibration.differ", { percent: showNumber(difference * 100, 0) })}
    </Text>
  );
}

function RulingForm({ ruling, count }: { ruling: Ruling; count: number }) {
  const t = useTexts("ceph");
  const [mm, setMm] = useState<number | string>("");
  const isGood = typeof mm === "number" && mm >= 1 && mm <= 500;
  return (
    <Stack gap="xs">
      {count < 2 ? (
        <Text size="sm" role="status">
          {t(count === 0 ? "ceph.calibration.first" : "ceph.calibration.second")}
        </Text>
      ) : (
        <NumberInput
          size="xs"
          label={t("ceph.calibration.mm")}
          value={mm}
          min={1}
          max={500}
          onChange={setMm}
          data-autofocus
        />
      )}
      <Group gap="xs">
        {count === 2 && (
          <Button size="xs" disabled={!isGood} onClick={() => isGood && ruling.apply(mm)}>
            {t("ceph.calibration.apply")}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={ruling.cancel}>
          {t("ceph.calibration.cancel")}
        </Button>
      </Group>
    </Stack>
  );
}
