import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { ImageFile } from "../image/loading/load-image.ts";
import { CalibrationText } from "./calibration-text.tsx";
import type { PointCalibration } from "./use-point-calibration.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  tracing: Tracing;
  pointCalibration: PointCalibration;
  /** Every way in which a ruler in the image can be read. */
  scales: CephOpened["proposals"]["scales"];
  file: ImageFile | null;
}

/**
 * The scale in use, and the ways to choose another: the file's, the scale of a ruler that an engine has found, or two
 * points.
 */
export function CalibrationPanel({ tracing, pointCalibration, scales, file }: Props) {
  const t = useTexts("ceph");
  const { calibration } = tracing.content;
  const applyScale = (source: "file" | "ruler", width: number) =>
    tracing.change({ calibration: { source, width, magnification: 1, line: null } });
  const scale = scales.length === 1 ? (scales[0]?.width ?? null) : null;
  const spacing = file?.spacing ?? null;
  // If there are several readings, the one that the user has chosen is compared with the file.
  const ruler = scale ?? (calibration?.source === "ruler" ? calibration.width : null);
  return (
    <Stack gap="sm" align="stretch">
      <CalibrationText calibration={calibration} />
      {spacing && (
        <Button size="xs" variant="default" onClick={() => applyScale("file", spacing.column)}>
          {t("ceph.calibration.useFile", { mm: formatNumber(spacing.column, 4) })}
        </Button>
      )}
      {scale !== null && (
        <Button size="xs" variant="default" onClick={() => applyScale("ruler", scale)}>
          {t("ceph.calibration.useRuler", { mm: formatNumber(scale, 4) })}
        </Button>
      )}
      {scales.length > 1 && <RulerReadings scales={scales} onApply={(width) => applyScale("ruler", width)} />}
      {ruler !== null && spacing && <ScaleDifference ruler={ruler} file={spacing.column} />}
      {pointCalibration.points ? (
        <PointCalibrationForm pointCalibration={pointCalibration} count={pointCalibration.points.length} />
      ) : (
        <Button size="xs" variant="default" onClick={pointCalibration.start}>
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
function RulerReadings({
  scales,
  onApply,
}: {
  scales: CephOpened["proposals"]["scales"];
  onApply: (width: number) => void;
}) {
  const t = useTexts("ceph");
  return (
    <Stack gap="xs" role="group" aria-label={t("ceph.calibration.ruler")}>
      <Text size="xs" c="yellow">
        {t("ceph.calibration.readings")}
      </Text>
      {scales.map(({ width, mm }) => (
        <Button key={width} size="xs" variant="default" onClick={() => onApply(width)}>
          {t("ceph.calibration.useReading", { length: formatNumber(mm, 0), mm: formatNumber(width, 4) })}
        </Button>
      ))}
    </Stack>
  );
}

/** The least relative difference that is reported: twice the tolerance of a ruler's readings. */
export const minReportedDifference = 0.02;

/**
 * Reports a difference between the ruler and the file: a ruler in the middle of the head is magnified like the head, a
 * detector's spacing is not.
 */
function ScaleDifference({ ruler, file }: { ruler: number; file: number }) {
  const t = useTexts("ceph");
  const difference = Math.abs(file / ruler - 1);
  if (difference < minReportedDifference) return null;
  return (
    <Text size="xs" c="yellow" role="status">
      {t("ceph.calibration.differ", { percent: formatNumber(difference * 100, 0) })}
    </Text>
  );
}

function PointCalibrationForm({ pointCalibration, count }: { pointCalibration: PointCalibration; count: number }) {
  const t = useTexts("ceph");
  const [mm, setMm] = useState<number | string>("");
  const isValid = typeof mm === "number" && mm >= 1 && mm <= 500;
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
          <Button size="xs" disabled={!isValid} onClick={() => isValid && pointCalibration.apply(mm)}>
            {t("ceph.calibration.apply")}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={pointCalibration.cancel}>
          {t("ceph.calibration.cancel")}
        </Button>
      </Group>
    </Stack>
  );
}
