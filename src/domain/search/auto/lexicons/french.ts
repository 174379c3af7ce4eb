import { type Lexicon, openings, words } from '../lexicon.ts'

export const french: Lexicon = {
  asks: words(`cherche sur internet, recherche sur internet, cherche sur le web, cherche en ligne, cherche, recherche des,
    trouve-moi, renseigne-toi, avec sources, avec des sources, cite tes sources, google`),
  fresh: words(`aujourd'hui, aujourd’hui, hier, hier soir, demain, maintenant, en ce moment, actuel, actuelle, actuels,
    actuellement, dernier, dernière, derniers, dernières, récent, récente, récents, récentes, récemment, cette semaine, ce
    mois-ci, cette année, cette saison, ce week-end, la semaine dernière, le mois dernier, jusqu'ici, à ce jour, la semaine
    prochaine, nouveau, nouvelle,
    cette nuit, ce matin, cet après-midi, cet été, cet hiver, lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, en direct, toujours, encore, désormais, ces jours-ci`),
  live: words(`quel temps, météo, prévisions, prix du, prix de, prix des, combien coûte, combien coûtent, tarif, tarifs,
    cours de l'action, cours du, bourse, taux de change, ses taux, taux d'intérêt, inflation, nouvelles, actualités,
    actualité de, les titres, résultat, résultats, score, classement de, circulation, bouchons, grève, vols, billets pour, horaires,
    séances, version de, alerte, population de, près de moi, sondages, disponible,
    visa, smic, montant du, impôt*, apl, rsa, taxe*, subvention*, droits de douane, concerts, concert, festival, station-service, essence, moins chère, moins cher, pas chers, promotions,
    saison, épisode, finale, équipe de france, mercato, blessure, composition, licenciements, rachat, trimestre, chiffre d'affaires, documentation,
    api, nouveautés, compatible avec, loyer, hôtels à, restaurants à, offres d'emploi, incendie*, séisme, épidémie, vaccin*, sanctions,
    jugement, procès, nouvelle loi, comparatif, qualité de l'air, loto, tirage,
    retard, annulé, annulés, à l'heure, coupée, fermeture de, évacué*, vigilance, cessez-le-feu, manifestations, sommet, buteur*, podium à,
    distribution de, en vente, complet, box-office, abonnement, prix moyen, le baril, crédit immobilier, taux immobilier, salaire moyen, coût de la vie, lts,
    postes à pourvoir, nommés, programmation de, avis sur`),
  holders:
    words(`qui est le président, qui est la présidente, qui est le premier ministre, qui est le pdg, qui est le maire,
    qui dirige, qui a gagné, qui a remporté, qui a reçu, champion de,
    qui préside, qui entraîne, qui remplace, qui succède, qui est à la tête, qui est le patron, qui est le maire`),
  dates:
    words(`quand sort, quand a lieu le prochain, quand est le prochain, à quelle heure ouvre, à quelle heure ferme, heures
    d'ouverture, date de sortie, est ouvert, films sortent, que s'est-il passé, qu'est-ce qui a changé`),
  tasks: openings(
    `écris, rédige, réécris, reformule, traduis, résume le texte, résume ce texte, corrige, crée, génère, invente, imagine,
    joue le rôle, raconte-moi, raconte, donne-moi une recette, donne-moi cinq, propose, calcule, résous, convertis, aide-moi,
    bonjour, salut, merci, classe ces, implémente, programme,
    fais-moi une, fais-moi un, invente, compare, explique,
    décris, donne une requête, fais une liste`,
    "s'il te plaît, peux-tu, pourrais-tu, je veux que tu",
  ),
  explains:
    words(`explique, explique-moi, comment fonctionne, comment fonctionnent, comment se forme, pourquoi, qu'est-ce qu'un,
    qu'est-ce qu'une, qu'est-ce que, quelle est la différence, différence entre, que signifie, quel est le rôle, en quelle année,
    qui a écrit, histoire de, capitale de, définis, combien font,
    de quoi parle, que veut dire, loi d'ohm, doit-on dire, qui a peint, qui a composé, qui a découvert, qui a inventé, comment fabrique, combien de joueurs, qu'est-ce qu'un,
    en quelle année, quelle est la hauteur, quelle différence, à quoi sert, que fait un, que fait une, qui a succédé,
    qui était, où se trouve, quand est né, quand est mort, quelle langue, combien de, quel type de, quels sont les, quand a été, que veut dire`),
  state:
    words(`toujours vivant, toujours vivante, toujours en, toujours le, est-elle sortie, est-il sorti, faut-il un, est-il dangereux, est-ce dangereux, qu'a dit,
    que change, quand joue, quand jouent, où regarder, où acheter, où voir, y a-t-il, a-t-il, a-t-elle, est mort, démissionné, annoncé, interdit, est-ce ouvert,
    est-il ouvert, est-elle ouverte, est-il fermé, est-elle fermée, faut-il acheter, acheter pour, vaut le coup, a-t-il sorti, est-elle entrée, ont-ils été, a-t-il voté`),
  roles: words(`tu es maintenant, tu es un, tu es une, joue le rôle, fais comme si, interroge-moi`),
  personal: words(
    `je suis stressé, je suis stressée, je suis triste, je me sens, mon patron, ma copine, mon copain, ma mère, mon père, j'ai appris, des conseils, mes devoirs, ma dissertation,
    mon chien, mon fils, ma fille`,
  ),
}
