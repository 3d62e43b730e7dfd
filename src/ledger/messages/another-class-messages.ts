/** That a number is in use under another class. */
import { sentence } from '../../i18n/message.ts';

export const ANOTHER_CLASS = {
  says: sentence({
    en: 'the {class} {name} ({state}) of the same issuer and year has this number too',
    fr: 'le document {name} ({class}, {state}) du même émetteur et de la même année porte aussi ce numéro',
    es: 'el documento {name} ({class}, {state}) del mismo emisor y año también lleva este número',
  }),
  hint: sentence({
    en: 'the tax authority takes a number once per issuer and year, whatever the class: compare both with the ERP; where one of them was sent under the wrong class, correct that with the provider',
    fr: 'l’administration n’admet un numéro qu’une fois par émetteur et par année, toutes classes confondues : comparez les deux avec l’ERP ; si l’un a été envoyé sous la mauvaise classe, corrigez-le avec le prestataire',
    es: 'la administración admite un número una sola vez por emisor y año, sea cual sea la clase: compare ambos con el ERP; si uno se envió con la clase equivocada, corríjalo con el proveedor',
  }),
};
