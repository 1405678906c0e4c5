import { Button, Group, Text } from "@mantine/core";
import { lazy, useState, type FunctionComponent } from "react";
import { useTexts } from "../../../i18n/texts.ts";

/** React's `lazy` passes all properties on; those of the form do not contain this one. */
type WithRetry<Props> = Props & { onRetry: () => void };

/**
 * A form of a viewer whose code is loaded when it is first shown, within a `Suspense`. `lazy` would keep a failure for
 * ever and end the page; here the form's place says that the code could not be fetched, and offers to try again.
 */
export function lazyForm<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const begin = () =>
    lazy((): Promise<{ default: FunctionComponent<WithRetry<Props>> }> =>
      load().then(
        (Form) => ({ default: Form }),
        () => ({ default: ({ onRetry }) => <NotLoaded retry={onRetry} /> }),
      ),
    );
  // All places that show the form share what was loaded.
  let latest = begin();
  return function LazyForm(props: Props) {
    const [Form, setForm] = useState(() => latest);
    const retry = () =>
      void load().then(() => {
        if (latest === Form) latest = begin();
        setForm(() => latest);
      }, reloadIfServed);
    return <Form {...props} onRetry={retry} />;
  };
}

/** Chromium fetches a module that failed only for a new page. A page whose server is away would be lost, and stays. */
async function reloadIfServed(): Promise<void> {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

/** The state of a form or list that could not be loaded: the picture of a page's own state has no room in a panel. */
export function NotLoaded({ retry }: { retry: () => void }) {
  const t = useTexts();
  return (
    <Group gap={6} justify="space-between" wrap="nowrap" role="alert">
      <Text size="xs" c="red.3">
        {t("common.state.errorTitle")}
      </Text>
      <Button size="compact-xs" variant="default" onClick={retry}>
        {t("common.retry")}
      </Button>
    </Group>
  );
}
