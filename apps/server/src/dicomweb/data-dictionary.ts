import { lookUpVr } from "./element-vrs.ts";

/** An attribute that searches and answers name, as PS3.6 does. */
export interface ElementName {
  keyword: string;
  /** Eight hexadecimal digits. */
  tag: string;
  vr: string;
}

/**
 * Returns the element that a request names by keyword or by a tag of eight hexadecimal digits. Null: the word is
 * neither.
 */
export function findElement(word: string): ElementName | null {
  const known = byKeyword.get(word) ?? byTag.get(word.toUpperCase());
  if (known) return known;
  return /^[0-9a-f]{8}$/i.test(word)
    ? { keyword: word, tag: word.toUpperCase(), vr: lookUpVr(word.toUpperCase()) }
    : null;
}

const dictionary = `
00080005 CS SpecificCharacterSet|00080008 CS ImageType|00080012 DA InstanceCreationDate|00080013 TM InstanceCreationTime
00080014 UI InstanceCreatorUID|00080016 UI SOPClassUID|00080018 UI SOPInstanceUID|00080020 DA StudyDate|00080021 DA SeriesDate
00080022 DA AcquisitionDate|00080023 DA ContentDate|0008002A DT AcquisitionDateTime|00080030 TM StudyTime
00080031 TM SeriesTime|00080032 TM AcquisitionTime|00080033 TM ContentTime|00080050 SH AccessionNumber
00080056 CS InstanceAvailability|00080060 CS Modality|00080061 CS ModalitiesInStudy|00080064 CS ConversionType
00080068 CS PresentationIntentType|00080070 LO Manufacturer|00080080 LO InstitutionName|00080081 ST InstitutionAddress
00080090 PN ReferringPhysicianName|00080100 SH CodeValue|00080102 SH CodingSchemeDesignator|00080104 LO CodeMeaning
00080201 SH TimezoneOffsetFromUTC|00081010 SH StationName|00081030 LO StudyDescription|00081032 SQ ProcedureCodeSequence
0008103E LO SeriesDescription|00081040 LO InstitutionalDepartmentName|00081048 PN PhysiciansOfRecord
00081050 PN PerformingPhysicianName|00081060 PN NameOfPhysiciansReadingStudy|00081070 PN OperatorsName
00081080 LO AdmittingDiagnosesDescription|00081090 LO ManufacturerModelName|00081110 SQ ReferencedStudySequence
00081111 SQ ReferencedPerformedProcedureStepSequence|00081115 SQ ReferencedSeriesSequence|00081140 SQ ReferencedImageSequence
00081150 UI ReferencedSOPClassUID|00081155 UI ReferencedSOPInstanceUID|00081190 UR RetrieveURL
00082111 ST DerivationDescription|00082112 SQ SourceImageSequence|00082218 SQ AnatomicRegionSequence|00083002 UI AvailableTransferSyntaxUID
00100010 PN PatientName|00100020 LO PatientID|00100021 LO IssuerOfPatientID|00100030 DA PatientBirthDate
00100032 TM PatientBirthTime|00100040 CS PatientSex|00101000 LO OtherPatientIDs|00101001 PN OtherPatientNames
00101010 AS PatientAge|00101020 DS PatientSize|00101030 DS PatientWeight|00102160 SH EthnicGroup|00104000 LT PatientComments
00120062 CS PatientIdentityRemoved|00180010 LO ContrastBolusAgent|00180015 CS BodyPartExamined|00180050 DS SliceThickness
00180060 DS KVP|00180088 DS SpacingBetweenSlices|00181000 LO DeviceSerialNumber|00181020 LO SoftwareVersions
00181030 LO ProtocolName|00181100 DS ReconstructionDiameter|00181110 DS DistanceSourceToDetector
00181111 DS DistanceSourceToPatient|00181114 DS EstimatedRadiographicMagnificationFactor|00181120 DS GantryDetectorTilt
00181150 IS ExposureTime|00181151 IS XRayTubeCurrent|00181152 IS Exposure|00181164 DS ImagerPixelSpacing
00181210 SH ConvolutionKernel|00185100 CS PatientPosition|00185101 CS ViewPosition|0020000D UI StudyInstanceUID
0020000E UI SeriesInstanceUID|00200010 SH StudyID|00200011 IS SeriesNumber|00200012 IS AcquisitionNumber
00200013 IS InstanceNumber|00200020 CS PatientOrientation|00200032 DS ImagePositionPatient|00200037 DS ImageOrientationPatient
00200052 UI FrameOfReferenceUID|00200060 CS Laterality|00200062 CS ImageLaterality|00201002 IS ImagesInAcquisition
00201040 LO PositionReferenceIndicator|00201041 DS SliceLocation|00201206 IS NumberOfStudyRelatedSeries
00201208 IS NumberOfStudyRelatedInstances|00201209 IS NumberOfSeriesRelatedInstances|00204000 LT ImageComments
00280002 US SamplesPerPixel|00280004 CS PhotometricInterpretation|00280006 US PlanarConfiguration|00280008 IS NumberOfFrames
00280009 AT FrameIncrementPointer|00280010 US Rows|00280011 US Columns|00280030 DS PixelSpacing|00280034 IS PixelAspectRatio
00280100 US BitsAllocated|00280101 US BitsStored|00280102 US HighBit|00280103 US PixelRepresentation
00280106 US SmallestImagePixelValue|00280107 US LargestImagePixelValue|00280120 US PixelPaddingValue
00280300 CS QualityControlImage|00280301 CS BurnedInAnnotation|00281040 CS PixelIntensityRelationship
00281041 SS PixelIntensityRelationshipSign|00281050 DS WindowCenter|00281051 DS WindowWidth|00281052 DS RescaleIntercept
00281053 DS RescaleSlope|00281054 LO RescaleType|00281055 LO WindowCenterWidthExplanation|00281056 CS VOILUTFunction
00281101 US RedPaletteColorLookupTableDescriptor|00281102 US GreenPaletteColorLookupTableDescriptor
00281103 US BluePaletteColorLookupTableDescriptor|00281201 OW RedPaletteColorLookupTableData
00281202 OW GreenPaletteColorLookupTableData|00281203 OW BluePaletteColorLookupTableData|00282110 CS LossyImageCompression
00282112 DS LossyImageCompressionRatio|00282114 CS LossyImageCompressionMethod|00283000 SQ ModalityLUTSequence
00283002 US LUTDescriptor|00283003 LO LUTExplanation|00283006 OW LUTData|00283010 SQ VOILUTSequence
00321060 LO RequestedProcedureDescription|00400244 DA PerformedProcedureStepStartDate
00400245 TM PerformedProcedureStepStartTime|00400253 SH PerformedProcedureStepID|00400254 LO PerformedProcedureStepDescription
00400275 SQ RequestAttributesSequence|00400009 SH ScheduledProcedureStepID|00401001 SH RequestedProcedureID
00400555 SQ AcquisitionContextSequence|7FE00008 OF FloatPixelData|7FE00009 OD DoubleFloatPixelData|7FE00010 OW PixelData
`;
const elements: ElementName[] = dictionary
  .trim()
  .split(/[\n|]/)
  .map((row) => {
    const [tag = "", vr = "", keyword = ""] = row.split(" ");
    return { tag, vr, keyword };
  });
const byTag = new Map(elements.map((element) => [element.tag, element]));
const byKeyword = new Map(elements.map((element) => [element.keyword, element]));
