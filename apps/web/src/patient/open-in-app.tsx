import { Menu } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";

/** The apps that can be opened for a patient, as entries of the patient's menu. */
export function OpenInAppItems({ patientId }: { patientId: string }) {
  const t = useTexts("smart");
  const { data } = useCall(smartCalls.launchable, {});
  const launch = useCommand(smartCalls.launch);
  const open = async (id: string) => {
    const done = await launch.run({ id, patientId });
    if (done) location.assign(done.data.url);
  };
  return (data ?? []).map(({ id, name }) => (
    <Menu.Item key={id} leftSection={<IconExternalLink size={16} aria-hidden />} onClick={() => void open(id)}>
      {t("smart.open", { app: name })}
    </Menu.Item>
  ));
}
