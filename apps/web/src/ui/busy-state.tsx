import { Center, Loader } from "@mantine/core";
import { useTexts } from "../kernel/texts.ts";

/** Something is on its way whose shape is not known yet. A file of its own: the sign-in pages need no other state. */
export function BusyState() {
  const t = useTexts();
  return (
    <Center mih={240} role="status" aria-label={t("common.loading")}>
      <Loader />
    </Center>
  );
}
