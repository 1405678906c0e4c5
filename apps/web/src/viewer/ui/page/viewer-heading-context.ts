import { createContext, use } from "react";

/** The heading of the viewer: the patient to whom the images belong, and their date. */
export const ViewerHeading = createContext({ title: "", text: "" });

export const useViewerHeading = (): { title: string; text: string } => use(ViewerHeading);
