import { Text } from "@mantine/core";
import type { CephCalibration } from "@arcada/contract/ceph/ceph.schema";
import { patientMmPerPixel } from "@arcada/analysis/ceph/normalised-tracing";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";

/** The source of the millimetre values. */
export function CalibrationText({ calibration }: { calibration: CephCalibration | null }) {
  const t = useTexts("ceph");
  if (!calibration) return <Text size="xs">{t("ceph.calibration.noMm")}</Text>;
  return (
    <Text size="xs">
      {t("ceph.calibration.told", {
        source: t(`ceph.calibration.${calibration.source}`),
        mm: formatNumber(patientMmPerPixel(calibration), 4),
        magnification: formatNumber(calibration.magnification, 3),
      })}
    </Text>
  );
}
