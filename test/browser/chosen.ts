/**
 * The scenarios that CI plays on Node, always the same: one pass of each screen, and each way to take, move, cancel or hold a seat.
 * None of them waits for the clock. `npm run test:browser` plays all.
 */
export const chosen: readonly string[] = [
  'konsol: the names of every screen are those that are kept',
  'konsol: opens under the policy, and lets in who may come in',
  'konsol: a second factor is asked for',
  'konsol: a walk-in in two requests and less than twenty seconds, without the pointer',
  'konsol: two consoles on one patient: the second sees who and when, and loses nothing',
  'konsol: another time: pressed in the grid, kept by the service',
  'konsol: a visit from the request to its end, each step back and each way out, by keyboard alone',
  'konsol: what lies under leave is canceled in one go, and a desk that was overtaken is told, by keyboard alone',
  'konsol: the clinic gets a name, a rule and a logo, which all three programs show, and a print',
  'konsol: a clinic from nothing: each empty screen says what comes first, leads an admin there, and sends a desk to one',
  'konsol: from an empty database to the first booking: the printed link, an admin with a second factor, a week, and a patient',
  'konsol: a week is made and changed by keyboard alone; a clash is told, and what was typed stays',
  'konsol: two records of one patient are merged by keyboard alone, after what would happen was told',
  'konsol: a series of six weeks is booked by keyboard alone; its detail says so, and what is to come is canceled',
  'konsol: an offer arrives in the open day by itself, is declined in the detail, and leaves it again',
  'konsol: every screen can be read by all: sempit, light',
  'pasien: registers, finds, books, moves and cancels, by the keyboard alone',
  'pasien: books from the search to the ticket, and logs in on the way',
  'pasien: books a held slot by a code, by keyboard alone: at most ten presses and two fields, known to the clinic',
  'pasien: books by the phone alone, by keyboard: at most ten presses and two fields, once the phone is known, one where the browser reads the message; a new person types two more',
  'pasien: is told that the slot was just taken, and takes another one with the note kept',
  'pasien: books once where the answer was lost',
  'pasien: the ticket says why others come before',
  'pasien: waits for a seat of a full day, and accepts it when it is offered',
  'pasien: adds one of the family, books for nobody else, and lets them go',
  'pasien: stays logged in over a reload, and is logged out in every tab',
  'pasien: speaks English when asked to, and shows itself dark',
  'pasien: every screen passes axe, narrow and wide, light and dark',
  'layar: is set up without a login, and started by one press',
  'layar: says that the network is lost, and what was called meanwhile',
  'layar: shows long labels whole',
  'layar: says each call of the desk within four seconds, once',
  'kios: without a camera the code and the date of birth check in, by keyboard alone: 360',
  'reference: through "try it" one logs in, books, and reads the booking back',
];

/** Those that it plays on Workers: what the two runtimes do differently, from the first request to the last write. */
export const chosenOnWorkers: readonly string[] = [
  'konsol: a walk-in in two requests and less than twenty seconds, without the pointer',
  'konsol: an admin makes and revokes a test key, sets the clock of the sandbox and begins it again, by keyboard alone',
  'konsol: the clinic’s people log in and confirm by the work account, and are told when that fails or the provider is lost, by keyboard alone',
  'pasien: registers, finds, books, moves and cancels, by the keyboard alone',
  'pasien: books a held slot by a code, by keyboard alone: at most ten presses and two fields, known to the clinic',
  'kios: without a camera the code and the date of birth check in, by keyboard alone: 360',
];
