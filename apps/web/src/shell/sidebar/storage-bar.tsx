import { Button, Popover, Stack, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { useState } from "react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { usageColour } from "@arcada/contract/capacity/capacity.rules";
import { screens } from "@arcada/contract/screens";
import { formatNumber } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { UsageBar } from "../../ui/usage-bar.tsx";
import classes from "./sidebar.module.css";

/** The used share of the institution's storage. A click shows the total and the ways to get more. */
export function StorageBar({ narrow }: { narrow: boolean }) {
  const t = useTexts("shell", "capacity");
  const [opened, setOpened] = useState(false);
  const canRead = useCanAccess(capacityCalls.storage);
  const canOpenCapacity = useCanAccess(screens.myCapacity);
  const { data } = useCall(capacityCalls.storage, {}, { enabled: canRead });
  if (!canRead || !data) return null;
  const words = t("capacity.of", { used: formatGigabytes(data.totalSize), max: formatGigabytes(data.maxSize) });
  return (
    <Popover opened={opened} onChange={setOpened} position="right-end" width={280} withArrow shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.usage}
          onClick={() => setOpened(!opened)}
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
      </Popover.Target>
      <Popover.Dropdown aria-label={t("shell.capacity.title")}>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {t("shell.capacity.total")}
          </Text>
          <Text size="sm" className="arcada-figures">
            {words}
          </Text>
          {data.percent >= 100 && (
            <Text size="sm" c="var(--mantine-color-error)">
              {t("capacity.full")}
            </Text>
          )}
          <ExpandHint />
          {canOpenCapacity && (
            <Button component={ScreenLink} screen="myCapacity" size="xs" onClick={() => setOpened(false)}>
              {t("shell.capacity.open")}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => setOpened(false)}>
            {t("common.close")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function ExpandHint() {
  const t = useTexts("shell");
  const welcome = useCallOnce(loginPageCalls.welcome);
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {t("shell.capacity.expand")}
      </Text>
      <Text size="sm" c="dimmed">
        {welcome?.hotline
          ? t("shell.capacity.expandText", { hotline: welcome.hotline, ...welcome.serviceHours })
          : t("shell.capacity.expandBare")}
      </Text>
    </>
  );
}

const formatGigabytes = (value: number): string => formatNumber(value, value < 10 ? 2 : 1);
