import { Button, Group, Text } from "@mantine/core";
import { lazy, useState, type FunctionComponent } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { saveAllAnnotations } from "../../annotations/store/annotation-saver.ts";

/** React's `lazy` passes all properties on; those of the form do not contain these. */
type WithRetry<Props> = Props & { onRetry: () => void; isUnsaved: boolean };

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
        (error: unknown) => {
          // Without a network it is no fault of the product.
          if (navigator.onLine) reportError(error);
          return { default: ({ onRetry, isUnsaved }) => <FormNotLoaded retry={onRetry} isUnsaved={isUnsaved} /> };
        },
      ),
    );
  // All places that show the form share what was loaded.
  let latest = begin();
  return function LazyForm(props: Props) {
    const [Form, setForm] = useState(() => latest);
    const [isUnsaved, setUnsaved] = useState(false);
    const retry = () =>
      void load().then(
        () => {
          if (latest === Form) latest = begin();
          setForm(() => latest);
        },
        async () => setUnsaved((await reloadIfServed()) === "unsaved"),
      );
    return <Form {...props} onRetry={retry} isUnsaved={isUnsaved} />;
  };
}

/**
 * Chromium fetches a module that failed only for a new page. A page whose server is away would be lost, as would
 * measurements that are not saved: then it stays.
 */
export async function reloadIfServed(): Promise<"reloading" | "away" | "unsaved"> {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return "away";
  if (!(await saveAllAnnotations())) return "unsaved";
  location.reload();
  return "reloading";
}

function FormNotLoaded({ retry, isUnsaved }: { retry: () => void; isUnsaved: boolean }) {
  const t = useTexts("viewer");
  return (
    <>
      <NotLoaded retry={retry} />
      {isUnsaved && (
        <Text size="xs" c="red.3" role="alert">
          {t("viewer.marks.lost")}
        </Text>
      )}
    </>
  );
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
