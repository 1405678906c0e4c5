import { Button, Checkbox, Group, Loader, Text } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import styles from "../render-viewport.module.css";
import type { ScanRegistration } from "./use-scan-registration.ts";

/** Shows the next step of the registration of a scan with the volume, and how well the scan fits. */
export function ScanRegistrationBar({ scan }: { scan: ScanRegistration }) {
  const t = useTexts("viewer");
  if (!scan.chosen) return null;
  return (
    <div className={scan.isPicking ? styles.under : styles.strip} data-holds-press role="status">
      {scan.isPicking ? <PickingStep scan={scan} /> : <RegisteredStep scan={scan} />}
      <Button size="compact-xs" variant="default" onClick={scan.remove}>
        {t("viewer.render.scan.remove")}
      </Button>
    </div>
  );
}

/** mm from which picked pairs are reported as poor. */
const poorFitMm = 2;

function PickingStep({ scan }: { scan: ScanRegistration }) {
  const t = useTexts("viewer");
  const { pairs, pairsRms, state } = scan;
  const isOpen = pairs.at(-1)?.volume === null;
  const whole = isOpen ? pairs.length - 1 : pairs.length;
  if (state === "fitting")
    return (
      <Group gap="xs">
        <Loader size="xs" />
        <Text size="xs">{t("viewer.render.scan.fitting")}</Text>
      </Group>
    );
  return (
    <>
      <Text size="xs" fw={600}>
        {t(isOpen ? "viewer.render.scan.pickVolume" : "viewer.render.scan.pickScan")}
      </Text>
      <Text size="xs">{t("viewer.render.scan.pairs", { count: whole })}</Text>
      {pairsRms === null && <Text size="xs">{t("viewer.render.scan.needThree")}</Text>}
      {pairsRms !== null && (
        <Text size="xs">{t("viewer.render.scan.pairsRms", { value: formatNumber(pairsRms, 2) })}</Text>
      )}
      {pairsRms !== null && pairsRms > poorFitMm && (
        <Text size="xs" c="orange.3">
          {t("viewer.render.scan.poor")}
        </Text>
      )}
      {state === "failed" && <Text size="xs">{t("viewer.render.export.failed")}</Text>}
      <Button size="compact-xs" variant="default" disabled={pairs.length === 0} onClick={scan.undo}>
        {t("viewer.render.scan.undo")}
      </Button>
      <Button size="compact-xs" disabled={pairsRms === null} onClick={scan.fit}>
        {t("viewer.render.scan.fit")}
      </Button>
    </>
  );
}

function RegisteredStep({ scan }: { scan: ScanRegistration }) {
  const t = useTexts("viewer");
  const { displaySettings, setDisplaySettings, result } = scan;
  return (
    <>
      {result && (
        <Text size="xs">
          {t("viewer.render.scan.rms", { value: formatNumber(result.rms, 2), count: result.pairs })}
        </Text>
      )}
      <Checkbox
        size="xs"
        label={t("viewer.render.scan.shown")}
        checked={displaySettings.isShown}
        onChange={(event) => setDisplaySettings({ ...displaySettings, isShown: event.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={t("viewer.render.scan.contour")}
        checked={displaySettings.hasOutline}
        onChange={(event) => setDisplaySettings({ ...displaySettings, hasOutline: event.currentTarget.checked })}
      />
      {scan.hasDistances && (
        <Checkbox
          size="xs"
          label={t("viewer.render.scan.residual")}
          checked={displaySettings.isByDistance}
          onChange={(event) => setDisplaySettings({ ...displaySettings, isByDistance: event.currentTarget.checked })}
        />
      )}
      {scan.hasDistances && displaySettings.isByDistance && <Text size="xs">{t("viewer.render.scan.legend")}</Text>}
    </>
  );
}
