import { useNetwork } from "@mantine/hooks";
import { useEffect } from "react";
import { createStore, useStore } from "../../browser/external-store.ts";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { classifySpeed, isMetered, measureSpeed } from "./network-speed.ts";
import type { SignalStrength } from "./network-speed.ts";

// Measured once for each tab session: a reload yields nothing new.
const key = "arcada.speed";
const readMeasuredSpeed = (): number | null => {
  const stored = sessionStorage.getItem(key);
  return stored === null ? null : Number(stored);
};

interface MeasuredSpeed {
  mbps: number | null;
  isBusy: boolean;
}
const measuredSpeed = createStore<MeasuredSpeed>({ mbps: readMeasuredSpeed(), isBusy: false });

export function measureNetworkSpeed(): void {
  measuredSpeed.set((now) => ({ ...now, isBusy: true }));
  void measureSpeed().then((mbps) => {
    sessionStorage.setItem(key, String(mbps));
    measuredSpeed.set({ mbps, isBusy: false });
  });
}

/**
 * Measures the speed once after the page has loaded, unless the connection may be metered. `isViewer`: the page
 * downloads images for longer than any fixed time, and the measurement waits for the next page that does not.
 */
export function useFirstSpeedMeasurement(isViewer: boolean): void {
  useEffect(() => {
    if (isViewer || readMeasuredSpeed() !== null || isMetered()) return;
    // The page's own requests go first. A browser that waits for a response counts as idle, so a timer is used.
    const timer = setTimeout(measureNetworkSpeed, 4000);
    return () => clearTimeout(timer);
  }, [isViewer]);
}

/** The connection to the server: its strength if it was measured, and the words for it. */
export interface ConnectionState {
  strength: SignalStrength | "offline" | null;
  isBusy: boolean;
  text: string;
}

export function useConnectionState(): ConnectionState {
  const t = useTexts("shell");
  const { mbps, isBusy } = useStore(measuredSpeed);
  const { online } = useNetwork();
  // An earlier measurement is meaningless without a connection.
  if (!online) return { strength: "offline", isBusy: false, text: t("shell.speed.offline") };
  if (isBusy) return { strength: null, isBusy, text: t("shell.speed.busy") };
  if (mbps === null) return { strength: null, isBusy, text: t("shell.speed.unknown") };
  const strength = classifySpeed(mbps);
  const figure = t("shell.speed.mbps", { mbps: formatNumber(mbps, 1) });
  return { strength, isBusy, text: `${t(`shell.speed.${strength}`)} · ${figure}` };
}
