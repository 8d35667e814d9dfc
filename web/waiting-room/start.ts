// Imported first: a screen's language is in its address, and the texts read it while they load.
import { language } from '../shared/preferences.ts';
import { parseSettings } from './address.ts';

const { language: chosen, look } = parseSettings(location.search);
language.value = chosen;
document.documentElement.lang = chosen;
document.documentElement.dataset.look = look;
