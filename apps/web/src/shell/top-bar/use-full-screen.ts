import { useFullscreenDocument } from "@mantine/hooks";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";

/** Toggles full screen, with a message if the browser does not support it. */
export function useFullScreen() {
  const t = useTexts("shell");
  const { toggle, fullscreen } = useFullscreenDocument();
  const toggleFullScreen = () => {
    if (!document.fullscreenEnabled) return toast("error", t("shell.fullScreenFails"));
    toggle().catch(() => toast("error", t("shell.fullScreenFails")));
  };
  return {
    isFull: fullscreen,
    change: toggleFullScreen,
    label: t(fullscreen ? "shell.fullScreenOff" : "shell.fullScreen"),
  };
}
