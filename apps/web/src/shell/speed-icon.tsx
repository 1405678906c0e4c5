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
import { showNumber } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { isMetered, measureSpeed, strengthOf } from "./network-speed.ts";
import type { Strength } from "./network-speed.ts";

const looks: Record<Strength, { Icon: ComponentType<{ size?: number; stroke?: number }>; colour: string }> = {
  weak: { Icon: IconAntennaBars2, colour: "red" },
  medium: { Icon: IconAntennaBars3, colour: "yellow" },
  strong: { Icon: IconAntennaBars5, colour: "teal" },
};

// Measured once for each tab session: a reload yields nothing new.
const key = "arcada.speed";
const known = (): number | null => {
  const kept = sessionStorage.getItem(key);
  return kept === null ? null : Number(kept);
};

/** The speed of the connection to the server. A click measures again. */
export function SpeedIcon() {
  const t = useTexts("shell");
  const { mbps, busy, measure } = useSpeed();
  const { online } = useNetwork();
  const strength = mbps === null ? null : strengthOf(mbps);
  if (!online) return <OfflineSign />;
  const { Icon, colour } = strength ? looks[strength] : { Icon: IconAntennaBars1, colour: "gray" };
  const state = strength
    ? `${t(`shell.speed.${strength}`)} · ${t("shell.speed.mbps", { mbps: showNumber(mbps ?? 0, 1) })}`
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
function OfflineSign() {
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
  const [mbps, setMbps] = useState(known);
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
    if (known() !== null || isMetered()) return;
    // The page's own requests go first. A browser that waits for a response counts as idle, so a timer is used.
    const timer = setTimeout(measure, 4000);
    return () => clearTimeout(timer);
  }, []);
  return { mbps, busy, measure };
}
