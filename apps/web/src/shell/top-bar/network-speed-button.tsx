import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconAntennaBars1,
  IconAntennaBars2,
  IconAntennaBars3,
  IconAntennaBars5,
  IconAntennaBarsOff,
} from "@tabler/icons-react";
import { useNetwork } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { isMetered, measureSpeed, classifySpeed } from "./network-speed.ts";
import type { SignalStrength } from "./network-speed.ts";

const strengthStyles: Record<
  SignalStrength,
  { Icon: ComponentType<{ size?: number; stroke?: number }>; colour: string }
> = {
  weak: { Icon: IconAntennaBars2, colour: "red" },
  medium: { Icon: IconAntennaBars3, colour: "yellow" },
  strong: { Icon: IconAntennaBars5, colour: "teal" },
};

// Measured once for each tab session: a reload yields nothing new.
const key = "arcada.speed";
const readMeasuredSpeed = (): number | null => {
  const stored = sessionStorage.getItem(key);
  return stored === null ? null : Number(stored);
};

/** The speed of the connection to the server. A click measures again. */
export function NetworkSpeedButton() {
  const t = useTexts("shell");
  const { mbps, busy, measure } = useSpeed();
  const { online } = useNetwork();
  const strength = mbps === null ? null : classifySpeed(mbps);
  if (!online) return <OfflineButton />;
  const { Icon, colour } = strength ? strengthStyles[strength] : { Icon: IconAntennaBars1, colour: "gray" };
  const state = strength
    ? `${t(`shell.speed.${strength}`)} · ${t("shell.speed.mbps", { mbps: formatNumber(mbps ?? 0, 1) })}`
    : t("shell.speed.unknown");
  return (
    <Tooltip label={busy ? t("shell.speed.busy") : `${state} · ${t("shell.speed.again")}`}>
      <ActionIcon
        variant="subtle"
        color={colour}
        size={38}
        loading={busy}
        onClick={measure}
        aria-label={busy ? t("shell.speed.busy") : state}
        data-strength={strength}
      >
        <Icon size={20} stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}

/** An earlier measurement is meaningless without a connection. */
function OfflineButton() {
  const t = useTexts("shell");
  return (
    <Tooltip label={t("shell.speed.offline")}>
      <ActionIcon
        variant="subtle"
        color="red"
        size={38}
        aria-label={t("shell.speed.offline")}
        aria-disabled
        data-offline
      >
        <IconAntennaBarsOff size={20} stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}

function useSpeed() {
  const [mbps, setMbps] = useState(readMeasuredSpeed);
  const [busy, setBusy] = useState(false);
  const measure = () => {
    setBusy(true);
    void measureSpeed().then((measured) => {
      sessionStorage.setItem(key, String(measured));
      setMbps(measured);
      setBusy(false);
    });
  };
  useEffect(() => {
    if (readMeasuredSpeed() !== null || isMetered()) return;
    // The page's own requests go first. A browser that waits for a response counts as idle, so a timer is used.
    const timer = setTimeout(measure, 4000);
    return () => clearTimeout(timer);
  }, []);
  return { mbps, busy, measure };
}
