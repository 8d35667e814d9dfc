// Pure: in which region of the platform a clinic's object is made. It stays there.

/** The cities by which the tz database names zones of South America. */
const southAmerica =
  /^America\/(Argentina\/.+|Araguaina|Asuncion|Bahia|Belem|Boa_Vista|Bogota|Buenos_Aires|Campo_Grande|Caracas|Cayenne|Cuiaba|Eirunepe|Fortaleza|Guayaquil|Guyana|La_Paz|Lima|Maceio|Manaus|Montevideo|Noronha|Paramaribo|Porto_Velho|Punta_Arenas|Recife|Rio_Branco|Santarem|Santiago|Sao_Paulo)$/;
const easternEurope =
  /^Europe\/(Athens|Bucharest|Budapest|Belgrade|Chisinau|Helsinki|Istanbul|Kiev|Kyiv|Minsk|Moscow|Prague|Riga|Samara|Sofia|Tallinn|Vilnius|Volgograd|Warsaw)$/;
const middleEast =
  /^Asia\/(Aden|Amman|Baghdad|Bahrain|Baku|Beirut|Damascus|Dubai|Gaza|Hebron|Jerusalem|Kuwait|Muscat|Nicosia|Qatar|Riyadh|Tbilisi|Tehran|Yerevan)$/;
const westOfAmerica =
  /^America\/(Anchorage|Boise|Denver|Edmonton|Hermosillo|Juneau|Los_Angeles|Mazatlan|Phoenix|Tijuana|Vancouver|Whitehorse|Yellowknife)$/;

/** The platform's hint for where a clinic of this zone is; undefined where none suits, and the platform chooses. */
export const locationHint = (timeZone: string): string | undefined => {
  const [area] = timeZone.split('/');
  if (area === 'Asia') return middleEast.test(timeZone) ? 'me' : 'apac';
  if (area === 'Indian') return 'apac';
  if (area === 'Australia' || area === 'Pacific') return 'oc';
  if (area === 'Africa') return 'afr';
  if (area === 'Europe') return easternEurope.test(timeZone) ? 'eeur' : 'weur';
  if (area !== 'America') return undefined;
  if (southAmerica.test(timeZone)) return 'sam';
  return westOfAmerica.test(timeZone) ? 'wnam' : 'enam';
};
