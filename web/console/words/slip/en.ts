import type { Words } from './id.ts';

const en: Words = {
  title: 'Queue slips',
  about: 'These choices hold on this device only.',
  paper: 'Slip printer',
  none: 'None',
  width: (mm) => `${mm} mm paper`,
  withName: 'Print the patient’s name on the slip',
  test: 'Print a test page',
  testTitle: 'Test page',
  testDoctor: 'dr. Example',
  testSession: 'General practice',
  testRoom: 'Room 1',
  testPatient: 'Patient’s name',
};

export default en;
