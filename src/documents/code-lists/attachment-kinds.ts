/** Kinds of attachments of a French invoice (BR-FR-17; RECAPITULATIF_COTRAITANCE since version 1.3.1). */
export const ATTACHMENT_KINDS: readonly string[] = [
  ...['RIB', 'LISIBLE', 'FEUILLE_DE_STYLE', 'PJA', 'BORDEREAU_SUIVI', 'DOCUMENT_ANNEXE', 'BON_LIVRAISON'],
  ...['BON_COMMANDE', 'BORDEREAU_SUIVI_VALIDATION', 'ETAT_ACOMPTE', 'FACTURE_PAIEMENT_DIRECT'],
  'RECAPITULATIF_COTRAITANCE',
];

/** The readable picture of the document: one at most (BR-FR-18). */
export const READABLE = 'LISIBLE';
