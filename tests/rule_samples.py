"""Rule lists that together use everything that rules can say."""

LEVEL_0 = """
early: q_0 w => q_0 - w
take: x_0 w => x_0 - w  @q=0.5 @f=12
handout: l_0(2) w : l_1(3+) w => l_0[1] - w
into: l_0(3+) t_1 => l_0[2] - t_1
loop: l_0(4+) l_0 l_0 : l_1(1) n => l_0 - l_0
both-ends: l_0(2+) t_1 t_1 => t_1 - w
safe: t_0 t_1 => t_0 - t_1
q_0 t_1 t_2 : t_1 n w q_0 => t_1 - n
"""
LEVEL_1 = """# level: 1
longer: l_0(1+) n : l_1(1+) n ; !t_8 t_9 : q_10 w ; l_0 < l_1 ; left < 20 => l_0 - n
ahead: t_0 n ; score >= 0 ; left >= 8 => t_0 - n
| q_0 n => q_0 - n
behind: t_0 w ; score < 0 ; !x_1 w => t_0 - w
never: x_0 w ; 3 > 4 => x_0 - w
"""

LEARNED = """# level: 1
x_0 w => x_0 - w  @q=1.5
l_0(1+) w => l_0 - w  @q=-0.25
t_0 t_1 => t_0 - t_1  @q=1.5
t_0 w => t_0 - w  @q=1.4
q_0 w => q_0 - w  @q=1.35
l_0(2+) w => l_0[1] - w  @q=-9.0
""" + "".join(f"x_0 w ; left > {left} => x_0 - w  @q={left / 8}\n" for left in range(12))
