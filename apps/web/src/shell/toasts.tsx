import { Notification, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { useStore } from "../browser/external-store.ts";
import { useTexts } from "../i18n/texts.ts";
import { closeToast, toastSeconds, toasts } from "../browser/toast.ts";
import type { Toast } from "../browser/toast.ts";
import classes from "./toasts.module.css";

/** The toasts, announced by screen readers, five seconds each. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className={classes.list} data-screen-only role="status" aria-live="polite">
      {shown.map((one) => (
        <ToastItem key={one.id} toast={one} />
      ))}
    </div>
  );
}

const kindStyles: Record<Toast["kind"], { colour: string; Icon: ComponentType<{ size?: number }> }> = {
  error: { colour: "red", Icon: IconAlertTriangle },
  success: { colour: "teal", Icon: IconCheck },
  info: { colour: "brand", Icon: IconInfoCircle },
};

function ToastItem({ toast }: { toast: Toast }) {
  const t = useTexts();
  const [isPaused, setPaused] = useState(false);
  const { colour, Icon } = kindStyles[toast.kind];
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => closeToast(toast.id), toastSeconds * 1000);
    return () => clearTimeout(timer);
  }, [isPaused, toast.id]);
  // A user who points at a message is reading it, so it stays.
  return (
    <Notification
      className={classes.toast}
      color={colour}
      icon={<Icon size={18} />}
      withBorder
      closeButtonProps={{ "aria-label": t("common.close") }}
      onClose={() => closeToast(toast.id)}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
    >
      <Text size="sm" c="var(--mantine-color-text)">
        {toast.text}
      </Text>
      {toast.requestId && (
        <Text size="xs" c="dimmed" mt={2} className={classes.request}>
          {t("common.requestId", { id: toast.requestId })}
        </Text>
      )}
    </Notification>
  );
}
