import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { usageCalls } from "@arcada/contract/capacity/usage.calls";
import { usageColour } from "@arcada/contract/capacity/capacity.rules";
import { formatNumber } from "../../i18n/format.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { UsageBar } from "../../ui/usage-bar.tsx";
import { useLazyDropdown } from "../../ui/overlays/use-lazy-dropdown.ts";
import classes from "./sidebar.module.css";

const load = () => import("./storage-popover.tsx");
const StoragePopover = lazy(async () => ({ default: (await load()).StoragePopover }));

/** The used share of the institution's storage. A click shows the total and the ways to get more. */
export function StorageBar({ narrow }: { narrow: boolean }) {
  const t = useTexts("shell", "capacity");
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "dialog");
  const canRead = useCanAccess(usageCalls.storage);
  const { data } = useCall(usageCalls.storage, {}, { enabled: canRead });
  if (!canRead || !data) return null;
  const words = t("capacity.of", { used: formatGigabytes(data.totalSize), max: formatGigabytes(data.maxSize) });
  return (
    <>
      <UnstyledButton
        className={classes.usage}
        {...button}
        aria-label={narrow ? `${t("shell.capacity.total")}: ${words}` : undefined}
      >
        <UsageBar
          narrow={narrow}
          Icon={IconDatabase}
          title={t("capacity.storage")}
          text={words}
          percent={data.percent}
          colour={usageColour(data.percent)}
        />
        {!narrow && <VisuallyHidden>{t("shell.capacity.total")}</VisuallyHidden>}
      </UnstyledButton>
      {isUsed && (
        <Suspense>
          <StoragePopover words={words} percent={data.percent} {...dropdown} />
        </Suspense>
      )}
    </>
  );
}

const formatGigabytes = (value: number): string => formatNumber(value, value < 10 ? 2 : 1);
