import { Center, Loader } from "@mantine/core";
import { useTexts } from "../i18n/texts.ts";

/**
 * A placeholder for content of unknown shape. It is a file of its own because the sign-in pages need no other state.
 */
export function BusyState() {
  const t = useTexts();
  return (
    <Center mih={240} role="status" aria-label={t("common.loading")}>
      <Loader />
    </Center>
  );
}
