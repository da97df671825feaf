"""From formulas to claims: every numeral is tied to an entry of a walk, judged alone, or accounted for."""
