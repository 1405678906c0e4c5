import { Button, Center, Group, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCloudOff, IconInbox, IconLock, IconMapPinOff } from "@tabler/icons-react";
import { use } from "react";
import type { ComponentType, ReactNode } from "react";
import { useShellInView } from "../browser/full-window.ts";
import { useTexts } from "../i18n/texts.ts";
import { TitledPageContext } from "./titled-page.ts";

interface StateProps {
  title?: string;
  text?: string;
  /** Actions that a person can take. */
  children?: ReactNode;
}

export function EmptyState({ title, text, children }: StateProps) {
  const t = useTexts();
  return (
    <State Icon={IconInbox} title={title ?? t("common.state.emptyTitle")} text={text}>
      {children}
    </State>
  );
}

export function ErrorState({
  retry,
  text,
  children,
}: {
  retry?: (() => void) | undefined;
  text?: string | undefined;
  children?: ReactNode;
}) {
  const t = useTexts();
  return (
    <State
      Icon={IconCloudOff}
      colour="red"
      title={t("common.state.errorTitle")}
      text={text ?? t("common.state.errorText")}
    >
      {retry && (
        <Button variant="default" onClick={retry}>
          {t("common.retry")}
        </Button>
      )}
      {children}
    </State>
  );
}

export function NotFoundState({ children }: { children?: ReactNode }) {
  const t = useTexts();
  return (
    <State
      isWholePage
      Icon={IconMapPinOff}
      title={t("common.state.notFoundTitle")}
      text={t("common.state.notFoundText")}
    >
      {children}
    </State>
  );
}

export function NotAllowedState({ children }: { children?: ReactNode }) {
  const t = useTexts();
  return (
    <State
      isWholePage
      Icon={IconLock}
      title={t("common.state.notAllowedTitle")}
      text={t("common.state.notAllowedText")}
    >
      {children}
    </State>
  );
}

/** Shown if nothing was kept from before the network failed. The page loads automatically when it is back. */
export function OfflineState({ children }: { children?: ReactNode }) {
  const t = useTexts();
  return (
    <State Icon={IconCloudOff} title={t("common.state.offlineTitle")} text={t("common.state.offlineText")}>
      {children}
    </State>
  );
}

/** Grey placeholder lines for content that is loading. */
export function LoadingState({ lines = 5 }: { lines?: number }) {
  const t = useTexts();
  return (
    <Stack gap="sm" p="md" role="status" aria-label={t("common.loading")}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={18} width={`${92 - ((line * 17) % 40)}%`} radius="sm" />
      ))}
    </Stack>
  );
}

interface WithIcon {
  Icon: ComponentType<{ size?: number; stroke?: number }>;
  colour?: string;
  title: string;
  text?: string | undefined;
  /** Usually stands in place of a page, and brings the page's heading then. */
  isWholePage?: boolean;
  children?: ReactNode;
}

function State({ Icon, colour = "gray", title, text, isWholePage = false, children }: WithIcon) {
  const isTitled = use(TitledPageContext);
  useShellInView();
  return (
    <Center px="md" py={36}>
      <Stack align="center" gap="sm" maw={420} ta="center">
        <ThemeIcon variant="light" color={colour} size={56} radius="xl">
          <Icon size={28} stroke={1.5} />
        </ThemeIcon>
        <Title order={isWholePage && !isTitled ? 1 : 2} size="h3">
          {title}
        </Title>
        {text && (
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        )}
        {children && (
          <Group mt="xs" justify="center">
            {children}
          </Group>
        )}
      </Stack>
    </Center>
  );
}
